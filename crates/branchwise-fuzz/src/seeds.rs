//! What is mutated: small tables in every format, and models fitted to them.

use arrow_array::builder::{Int64Builder, ListBuilder, StringDictionaryBuilder};
use arrow_array::types::{Int8Type, Int32Type};
use arrow_array::{
    ArrayRef, BooleanArray, Date32Array, Decimal128Array, Float32Array, Float64Array, Int8Array,
    Int64Array, LargeStringArray, NullArray, RecordBatch, StringArray, StringViewArray,
    TimestampMillisecondArray,
};
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{DictionaryHandling, FileWriter, IpcWriteOptions, StreamWriter};
use branchwise::data::{ReadOptions, Target, read_table};
use branchwise::{ClassWeight, Costs, Decimal, Encoding as Splits, Model, Solver};
use parquet::basic::{Compression, Encoding};
use parquet::file::properties::{WriterProperties, WriterVersion};
use std::io::{Read, Write};
use std::sync::Arc;

/// What some bytes are meant to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A table in any format.
    Table,
    /// A model file.
    Model,
}

/// The format of some bytes, which decides how they are changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Delimited text.
    Text,
    /// Delimited text, compressed by gzip.
    Gzip,
    /// Arrow's file or stream.
    Arrow,
    /// Parquet.
    Parquet,
    /// A model file.
    Model,
}

impl Shape {
    /// All of them.
    pub const ALL: [Shape; 5] =
        [Shape::Text, Shape::Gzip, Shape::Arrow, Shape::Parquet, Shape::Model];
}

/// A valid file, to be mutated.
#[derive(Clone, Debug)]
pub struct Seed {
    /// Their format.
    pub shape: Shape,
    /// The bytes.
    pub bytes: Vec<u8>,
}

impl Seed {
    /// What the bytes are meant to be.
    pub fn kind(&self) -> Kind {
        if self.shape == Shape::Model { Kind::Model } else { Kind::Table }
    }
}

const TEXTS: [&str; 7] = [
    "colour,size,class\nred,1,a\nblue,2,b\nred,3,a\ngreen,2,b\nblue,1,a\n",
    "0 1 0 1\n1 1 0 0\n0 0 1 1\n1 0 1 0\n1 1 1 1\n0 0 0 0\n",
    "name;when;count;class\n\"a; \"\"b\"\"\";2024-02-29;3;yes\nNA;2024-03-01T12:00:00Z;0;no\n\
     c;;12;yes\n\"two\nlines\";2023-01-01;1;no\n",
    "x\ty\tz\n1.5\t-3\tu\n2e3\t?\tv\n-0\t7\tu\n1.50\t9999999999999999999\tv\n",
    "\u{feff}größe,weight,class\n1,0.5,ja\n2,1.25,nein\n3,0,ja\n",
    "a,b\n1,2\n",
    "t\nyes\nno\nyes\n",
];

/// All seeds.
pub fn seeds() -> Vec<Seed> {
    let text = TEXTS.iter().map(|text| (Shape::Text, text.as_bytes().to_vec()));
    let halves = [gzip(b"a,b\n1,2\n3,4"), gzip(b"\n5,6\n")].concat();
    let packed = [gzip(TEXTS[0].as_bytes()), gzip(TEXTS[2].as_bytes()), halves];
    let arrow = arrow_seeds().into_iter().map(|bytes| (Shape::Arrow, bytes));
    let parquet = parquet_seeds().into_iter().map(|bytes| (Shape::Parquet, bytes));
    let models = models().into_iter().map(|model| (Shape::Model, model.into_bytes()));
    let packed = packed.into_iter().map(|bytes| (Shape::Gzip, bytes));
    let all = text.chain(packed).chain(arrow).chain(parquet).chain(models);
    all.map(|(shape, bytes)| Seed { shape, bytes }).collect()
}

/// Compress bytes by gzip.
pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("a vector takes everything");
    encoder.finish().expect("a vector takes everything")
}

/// Decompress gzip data, as far as it is valid.
pub fn gunzip(bytes: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    drop(flate2::read::MultiGzDecoder::new(bytes).read_to_end(&mut text));
    text
}

/// Files and streams, plain and compressed, with one batch and with two.
fn arrow_seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    let compressions = [None, Some(CompressionType::LZ4_FRAME), Some(CompressionType::ZSTD)];
    for compression in compressions {
        let small = [batch()];
        let wide = [wide_batch(0), wide_batch(1)];
        let long = [long_batch()];
        for batches in [&small[..], &wide, &long] {
            seeds.push(arrow_file(batches, compression));
            seeds.push(arrow_stream(batches, compression));
        }
    }
    seeds
}

/// Every compression, both versions of pages, and every encoding.
fn parquet_seeds() -> Vec<Vec<u8>> {
    use Encoding::{BYTE_STREAM_SPLIT, DELTA_BINARY_PACKED, DELTA_BYTE_ARRAY};
    use Encoding::{DELTA_LENGTH_BYTE_ARRAY, PLAIN};
    let compressions = [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::GZIP(Default::default()),
        Compression::LZ4,
        Compression::LZ4_RAW,
        Compression::ZSTD(Default::default()),
        Compression::BROTLI(Default::default()),
    ];
    let mut seeds = Vec::new();
    for (version, compression) in [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0]
        .into_iter()
        .flat_map(|version| compressions.into_iter().map(move |compression| (version, compression)))
    {
        let properties =
            || WriterProperties::builder().set_writer_version(version).set_compression(compression);
        seeds.push(parquet(&batch(), properties().build()));
        let in_parts = properties().set_max_row_group_row_count(Some(4)).set_write_batch_size(2);
        seeds.push(parquet(&wide_batch(0), in_parts.set_data_page_row_count_limit(2).build()));
        seeds.push(parquet(&long_batch(), properties().build()));
        for encoding in [PLAIN, DELTA_LENGTH_BYTE_ARRAY, DELTA_BYTE_ARRAY] {
            let mut properties = properties().set_dictionary_enabled(false);
            for (column, encoding) in
                [("text", encoding), ("whole", DELTA_BINARY_PACKED), ("real", BYTE_STREAM_SPLIT)]
            {
                properties = properties.set_column_encoding(column.into(), encoding);
            }
            seeds.push(parquet(&batch(), properties.build()));
        }
    }
    seeds
}

fn batch() -> RecordBatch {
    let mut words = StringDictionaryBuilder::<Int32Type>::new();
    for word in [Some("low"), Some("high"), None, Some("low"), Some("mid"), Some("high")] {
        words.append_option(word);
    }
    let columns: [(&str, ArrayRef); 6] = [
        ("text", Arc::new(StringArray::from(vec!["a", "b", "a", "c", "b", "a"]))),
        ("word", Arc::new(words.finish())),
        (
            "whole",
            Arc::new(Int64Array::from(vec![Some(1), None, Some(-3), Some(4), Some(5), None])),
        ),
        ("real", Arc::new(Float64Array::from(vec![0.5, f64::NAN, -0.0, 1e300, 2.5, 2.5]))),
        ("day", Arc::new(Date32Array::from(vec![0, 1, 19_000, -5, 40_000, 7]))),
        ("class", Arc::new(BooleanArray::from(vec![true, false, true, true, false, false]))),
    ];
    RecordBatch::try_from_iter(columns).expect("columns of equal length")
}

/// Columns of many types. The first one is a list, which readers must skip to read the others.
fn wide_batch(shift: i64) -> RecordBatch {
    let numbers = |step: i64| (0..6).map(move |row| (row != 2).then_some((row + shift) * step));
    let mut lists = ListBuilder::new(Int64Builder::new());
    for number in numbers(1) {
        lists.append_option(number.map(|n| vec![Some(n); n as usize % 3]));
    }
    // A file has one dictionary for all batches, which later batches may only extend.
    let known = StringArray::from_iter_values((0..3 + shift).map(|n| format!("word {n}")));
    let words = StringDictionaryBuilder::<Int8Type>::new_with_dictionary(6, &known);
    let mut words = words.expect("few entries");
    for number in numbers(1) {
        words.append_option(number.map(|n| format!("word {}", n % (3 + shift))));
    }
    let texts = || numbers(7).map(|number| number.map(|n| format!("a text of some length {n}")));
    let moments = TimestampMillisecondArray::from_iter(numbers(86_400_000));
    let decimals = Decimal128Array::from_iter(numbers(5).map(|n| n.map(i128::from)));
    let columns: [(&str, ArrayRef); 10] = [
        ("list", Arc::new(lists.finish())),
        ("long text", Arc::new(LargeStringArray::from_iter(texts()))),
        ("view", Arc::new(StringViewArray::from_iter(texts()))),
        ("word", Arc::new(words.finish())),
        ("nothing", Arc::new(NullArray::new(6))),
        ("moment", Arc::new(moments.with_timezone("+00:00"))),
        ("decimal", Arc::new(decimals.with_precision_and_scale(9, 2).expect("it fits"))),
        ("float", Arc::new(Float32Array::from_iter(numbers(3).map(|n| n.map(|n| n as f32))))),
        ("small", Arc::new(Int8Array::from_iter(numbers(2).map(|n| n.map(|n| n as i8))))),
        ("class", Arc::new(BooleanArray::from_iter(numbers(1).map(|n| n.map(|n| n % 2 == 0))))),
    ];
    let columns = columns.map(|(name, column)| (name, column, true));
    RecordBatch::try_from_iter_with_nullable(columns).expect("columns of equal length")
}

/// Enough equal rows for compression to be of use.
fn long_batch() -> RecordBatch {
    let rows = 0..200i64;
    let columns: [(&str, ArrayRef); 3] = [
        (
            "text",
            Arc::new(StringArray::from_iter_values(rows.clone().map(|n| format!("t{}", n % 5)))),
        ),
        ("whole", Arc::new(Int64Array::from_iter_values(rows.clone().map(|n| n % 7)))),
        ("class", Arc::new(BooleanArray::from_iter(rows.map(|n| Some(n % 3 == 0))))),
    ];
    RecordBatch::try_from_iter(columns).expect("columns of equal length")
}

fn arrow_options(compression: Option<CompressionType>) -> IpcWriteOptions {
    let options = IpcWriteOptions::default().with_dictionary_handling(DictionaryHandling::Delta);
    options.try_with_compression(compression).expect("a known compression")
}

fn arrow_file(batches: &[RecordBatch], compression: Option<CompressionType>) -> Vec<u8> {
    let (schema, options) = (batches[0].schema(), arrow_options(compression));
    let writer = FileWriter::try_new_with_options(Vec::new(), &schema, options);
    let mut writer = writer.expect("a vector takes everything");
    for batch in batches {
        writer.write(batch).expect("a vector takes everything");
    }
    writer.into_inner().expect("a vector takes everything")
}

fn arrow_stream(batches: &[RecordBatch], compression: Option<CompressionType>) -> Vec<u8> {
    let (schema, options) = (batches[0].schema(), arrow_options(compression));
    let writer = StreamWriter::try_new_with_options(Vec::new(), &schema, options);
    let mut writer = writer.expect("a vector takes everything");
    for batch in batches {
        writer.write(batch).expect("a vector takes everything");
    }
    writer.into_inner().expect("a vector takes everything")
}

fn parquet(batch: &RecordBatch, properties: WriterProperties) -> Vec<u8> {
    let writer = parquet::arrow::ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties));
    let mut writer = writer.expect("a vector takes everything");
    writer.write(batch).expect("a vector takes everything");
    writer.into_inner().expect("a vector takes everything")
}

/// Models of several shapes.
fn models() -> Vec<String> {
    let fitted = |text: &str, solver: Solver| -> Model {
        let (table, _) = read_table(text.as_bytes(), &ReadOptions::default()).expect("a table");
        let dataset = table.dataset(Target::Last).expect("a dataset");
        solver.fit(&dataset).expect("a model").model
    };
    let costs = Costs::new(
        vec!["a".into(), "b".into()],
        vec![
            ("a".into(), vec![Decimal::from("0"), Decimal::from("2.5")]),
            ("b".into(), vec![Decimal::from("1"), Decimal::from("0")]),
        ],
    );
    let free = || Solver::new().split_penalty(0.0);
    vec![
        fitted(TEXTS[0], free()).to_json(),
        fitted(TEXTS[0], free().costs(costs).class_weight(ClassWeight::Balanced)).to_json(),
        fitted(TEXTS[1], free().encoding(Splits::Mixed)).collapse().to_json(),
        fitted(TEXTS[2], free().max_categories(2)).to_json(),
        fitted(TEXTS[3], free()).to_json(),
    ]
}
