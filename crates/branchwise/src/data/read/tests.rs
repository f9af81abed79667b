//! Small texts read as tables: delimiters, headers, quotation marks, and what is refused.

use super::*;

fn read(text: &str) -> Result<(Table, Assumed)> {
    read_table(text.as_bytes(), &ReadOptions::default())
}

fn delimiter_of(text: &str) -> Delimiter {
    match read(text).unwrap().1.format {
        Format::Text { delimiter, .. } => delimiter,
        other => panic!("{other:?}"),
    }
}

fn rows(table: &Table) -> Vec<Vec<&str>> {
    let row = |r| table.columns().iter().map(|c| c.value(r).unwrap_or("-")).collect();
    (0..table.n_rows()).map(row).collect()
}

#[test]
fn delimiters_are_detected() {
    for (text, delimiter) in [
        ("a,b\n1,2\n1,3\n", Delimiter::Comma),
        ("a;b\n1,5;2,5\n1,5;3\n", Delimiter::Semicolon),
        ("a\tb c\n1\t2 3\n1\t4\n", Delimiter::Tab),
        ("0 1  0\n1 0 1 \n\n 1 1 0\n", Delimiter::Spaces),
        ("x\nx\n", Delimiter::Spaces),
        ("\"a,b\";c\n1;2\n", Delimiter::Semicolon),
    ] {
        assert_eq!(delimiter_of(text), delimiter, "{text:?}");
    }
}

#[test]
fn a_header_is_found_and_a_first_row_kept() {
    let (table, assumed) = read("colour,size\nred,1\nblue,2\nred,1\n").unwrap();
    assert!(assumed.header && table.is_named());
    assert_eq!(table.columns()[0].name(), "colour");
    assert_eq!(table.columns()[0].values(), ["blue", "red"]);
    assert_eq!(rows(&table), [["red", "1"], ["blue", "2"], ["red", "1"]]);

    let (table, assumed) = read("0 1 1\n1 1 0\n1 0 1\n").unwrap();
    assert!(!assumed.header);
    assert_eq!(table.columns()[2].name(), "x3");
    assert_eq!(table.n_rows(), 3);
}

#[test]
fn a_header_can_be_forced() {
    let with = |header| {
        let options = ReadOptions { header, ..ReadOptions::default() };
        read_table("a,b\na,c\nb,c\n".as_bytes(), &options).unwrap().0
    };
    assert_eq!(rows(&with(Header::Present)), [["a", "c"], ["b", "c"]]);
    assert_eq!(with(Header::Absent).n_rows(), 3);
    let naming = |needed: &[&str], known: &[&str]| {
        let texts = |names: &[&str]| names.iter().map(|name| name.to_string()).collect();
        with(Header::Naming { needed: texts(needed), known: texts(known) }).n_rows()
    };
    assert_eq!(naming(&["b"], &["b"]), 2);
    assert_eq!(naming(&["d"], &["b", "d"]), 2, "half of what is on it");
    assert_eq!(naming(&["c"], &["c"]), 3);
    assert_eq!(naming(&[], &["c", "d"]), 3, "that nothing is needed says nothing");
}

#[test]
fn quotes_blanks_and_a_byte_order_mark() {
    let (table, _) = read("\u{feff}name,class\n\"a, \"\"b\"\"\", 1\n\"two\nlines\",2\n").unwrap();
    assert_eq!(table.columns()[0].name(), "name");
    assert_eq!(rows(&table), [["a, \"b\"", "1"], ["two\nlines", "2"]]);
}

#[test]
fn bad_tables_are_refused_with_their_place() {
    let message = |text: &[u8]| {
        read_table(text, &ReadOptions::default()).err().map(|e| e.to_string()).unwrap_or_default()
    };
    assert!(message(b"").contains("empty"));
    assert!(message(b"\n \n").contains("empty"));
    assert!(message(b"a,b,c\n").contains("no rows below it"));
    let ragged = message(b"1,2\n1,2\n1\n");
    assert!(ragged.contains("line 3 has 1 value, but line 1 has 2 (delimiter: comma)"), "{ragged}");
    let open = message(b"1,2\n\"1,2\n1,2\n1,2\n");
    assert!(open.contains("was a quotation mark left open?"), "{open}");
    assert_eq!(message(b"  \n1,2\n1,3\n \n"), "");
    assert!(message(b"1 2\n3 \xff\n").contains("line 2, column 2: the bytes are not UTF-8"));
    assert!(message(b"a,a\n1,2\n3,4\n").contains("columns 1 and 2 are both called \"a\""));
    let wide = "1,".repeat(1_000_000) + "1\n";
    assert!(message(wide.as_bytes()).contains("line 1 has 1000001 columns; at most 65536"));
}
