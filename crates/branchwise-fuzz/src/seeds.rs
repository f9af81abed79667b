//! What is mutated: small tables in every format, and models fitted to them.

use arrow_array::builder::StringDictionaryBuilder;
use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, BooleanArray, Date32Array, Float64Array, Int64Array, RecordBatch, StringArray,
};
use branchwise::data::{ReadOptions, Target, read_table};
use branchwise::{ClassWeight, Costs, Decimal, Encoding, Model, Solver};
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use std::io::Write;
use std::sync::Arc;

/// What some bytes are meant to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A table in any format.
    Table,
    /// A model file.
    Model,
}

/// Bytes to start from.
#[derive(Clone, Debug)]
pub struct Seed {
    /// What they are.
    pub kind: Kind,
    /// The bytes.
    pub bytes: Vec<u8>,
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

/// Everything there is to start from.
pub fn seeds() -> Vec<Seed> {
    let mut seeds: Vec<Seed> = TEXTS.iter().map(|text| table(text.as_bytes().to_vec())).collect();
    seeds.push(table(gzip(TEXTS[0].as_bytes())));
    seeds.push(table(gzip(TEXTS[2].as_bytes())));
    let batch = batch();
    seeds.push(table(arrow_file(&batch)));
    seeds.push(table(arrow_stream(&batch)));
    for compression in [Compression::UNCOMPRESSED, Compression::SNAPPY, Compression::LZ4_RAW] {
        seeds.push(table(parquet(&batch, compression)));
    }
    let models = models().into_iter();
    seeds.extend(models.map(|model| Seed { kind: Kind::Model, bytes: model.into_bytes() }));
    seeds
}

fn table(bytes: Vec<u8>) -> Seed {
    Seed { kind: Kind::Table, bytes }
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("a vector takes everything");
    encoder.finish().expect("a vector takes everything")
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

fn arrow_file(batch: &RecordBatch) -> Vec<u8> {
    let mut bytes = Vec::new();
    let writer = arrow_ipc::writer::FileWriter::try_new(&mut bytes, &batch.schema());
    let mut writer = writer.expect("a vector takes everything");
    writer.write(batch).and_then(|()| writer.finish()).expect("a vector takes everything");
    drop(writer);
    bytes
}

fn arrow_stream(batch: &RecordBatch) -> Vec<u8> {
    let mut bytes = Vec::new();
    let writer = arrow_ipc::writer::StreamWriter::try_new(&mut bytes, &batch.schema());
    let mut writer = writer.expect("a vector takes everything");
    writer.write(batch).and_then(|()| writer.finish()).expect("a vector takes everything");
    drop(writer);
    bytes
}

fn parquet(batch: &RecordBatch, compression: Compression) -> Vec<u8> {
    let properties = WriterProperties::builder().set_compression(compression).build();
    let mut bytes = Vec::new();
    let schema = batch.schema();
    let writer = parquet::arrow::ArrowWriter::try_new(&mut bytes, schema, Some(properties));
    let mut writer = writer.expect("a vector takes everything");
    writer.write(batch).expect("a vector takes everything");
    writer.close().expect("a vector takes everything");
    bytes
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
        fitted(TEXTS[1], free().encoding(Encoding::Mixed)).collapse().to_json(),
        fitted(TEXTS[2], free().max_categories(2)).to_json(),
        fitted(TEXTS[3], free()).to_json(),
    ]
}
