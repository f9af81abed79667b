//! One case: everything that a user can do with a file is done with the mutated bytes.

use crate::dice::Dice;
use crate::seeds::Kind;
use branchwise::data::{
    Delimiter, Header, ReadOptions, Roles, Selection, Source, Target, Types, read_parts,
    read_table, read_tables,
};
use branchwise::encode::{Encoder, Offer};
use branchwise::{
    ClassWeight, Dataset, Encoding, Engine, Missing, Model, Price, Solver, SqlOptions, Table,
    Thresholds,
};
use std::io::Write;
use std::time::Duration;

/// Use the bytes as a table or a model. Returns what is wrong with the results, if anything; errors are fine.
pub fn run(kind: Kind, bytes: &[u8], dice: &mut Dice) -> Result<(), String> {
    match kind {
        Kind::Table => run_table(bytes, dice),
        Kind::Model => run_model(bytes),
    }
}

fn options(dice: &mut Dice) -> ReadOptions {
    let delimiters = [Delimiter::Comma, Delimiter::Semicolon, Delimiter::Tab, Delimiter::Spaces];
    let header = match dice.below(6) {
        0 => Header::Present,
        1 => Header::Absent,
        2 => Header::Naming {
            needed: vec!["colour".into()],
            known: vec!["colour".into(), "size".into()],
        },
        _ => Header::Detect,
    };
    ReadOptions {
        delimiter: dice.one_in(4).then(|| *dice.pick(&delimiters)),
        header,
        skip: if dice.one_in(4) { vec!["1".into()] } else { Vec::new() },
        merge: dice.one_in(2),
        ..ReadOptions::default()
    }
}

fn run_table(bytes: &[u8], dice: &mut Dice) -> Result<(), String> {
    let options = options(dice);
    let read = read_table(bytes, &options);
    run_parts(bytes, &options, read.as_ref().ok().map(|(table, _)| table))?;
    if dice.one_in(4) {
        run_file(bytes, &options, read.as_ref().ok().map(|(table, _)| table))?;
    }
    let Ok((table, _)) = read else { return Ok(()) };
    let all = Types { numeric: Selection::All, ..Types::default() };
    let typed = if dice.one_in(4) { table.clone().with_types(&all) } else { Ok(table.clone()) };
    let Ok(dataset) = typed.and_then(|table| table.dataset(roles(dice))) else { return Ok(()) };
    let offer = offer(dice);
    drop(Encoder::survey(&dataset, &offer));
    let Ok(solution) = solver(offer, dice).fit(&dataset) else { return Ok(()) };
    use_model(&solution.model, Some(&dataset), &table)
}

/// A table has the same rows when it is read in parts.
fn run_parts(bytes: &[u8], options: &ReadOptions, whole: Option<&Table>) -> Result<(), String> {
    let mut rows = 0;
    let source = Source::Stream("bytes".into(), Box::new(bytes));
    let options = ReadOptions { merge: false, ..options.clone() };
    let mut take = |part: Table| {
        rows += part.n_rows() as u64;
        Ok(())
    };
    let read = read_parts(vec![source], &options, 2, &mut take, &mut ());
    match (read, whole) {
        (Ok(_), Some(whole)) if rows != whole.n_merged_rows() => {
            Err(format!("{rows} rows in parts, {} as a whole", whole.n_merged_rows()))
        }
        // A table with column names but no rows has no parts; as a whole it is an error.
        (Ok(_), None) if rows > 0 => Err("read in parts, but not as a whole".into()),
        (Err(error), Some(_)) => Err(format!("read as a whole, but not in parts: {error}")),
        _ => Ok(()),
    }
}

/// A table is the same when it is read from a file, which some formats map or read in place.
fn run_file(bytes: &[u8], options: &ReadOptions, expected: Option<&Table>) -> Result<(), String> {
    let unwritable = |error: std::io::Error| format!("no file can be written: {error}");
    let mut file = tempfile::NamedTempFile::new().map_err(unwritable)?;
    file.write_all(bytes).map_err(unwritable)?;
    let read = read_tables(vec![Source::Path(file.path().into())], options);
    match (read, expected) {
        (Ok((table, _)), Some(expected)) if table.n_rows() == expected.n_rows() => Ok(()),
        (Err(_), None) => Ok(()),
        (Ok(_), _) => Err("a table from a file is not the one from a stream".into()),
        (Err(error), Some(_)) => Err(format!("read from a stream, but not from a file: {error}")),
    }
}

fn roles(dice: &mut Dice) -> Roles {
    let place = |dice: &mut Dice| Some((1 + dice.below(5)).to_string());
    Roles {
        target: if dice.one_in(4) {
            Target::Named((1 + dice.below(4)).to_string())
        } else {
            Target::Last
        },
        count: if dice.one_in(8) { place(dice) } else { None },
        weight: if dice.one_in(8) { place(dice) } else { None },
        ignored: Vec::new(),
    }
}

fn offer(dice: &mut Dice) -> Offer {
    Offer {
        encoding: *dice.pick(&Encoding::ALL),
        thresholds: *dice.pick(&[
            Thresholds::All,
            Thresholds::Quantiles(1),
            Thresholds::Quantiles(8),
        ]),
        max_categories: dice.one_in(4).then_some(2),
        missing: *dice.pick(&[
            Missing::Category,
            Missing::Category,
            Missing::Drop,
            Missing::Refuse,
        ]),
        first_column: dice.one_in(8).then(|| "1".into()),
    }
}

/// A solver with small limits.
fn solver(offer: Offer, dice: &mut Dice) -> Solver {
    let mut solver = Solver::new()
        .offer(offer)
        .split_penalty(*dice.pick(&["0", "0.01", "0.3", "0.333333333333333333"]))
        .price(*dice.pick(&[Price::Split, Price::Leaf]))
        .engine(*dice.pick(&[Engine::Auto, Engine::Fast, Engine::Paper]))
        .time_limit(Duration::from_millis(200))
        .iteration_limit(200)
        .memo_limit(1 << 20)
        .memory_limit(1 << 27);
    if dice.one_in(4) {
        solver = solver.class_weight(ClassWeight::Balanced);
    }
    if dice.one_in(4) {
        solver = solver.max_depth(dice.below(4) as u32);
    }
    if dice.one_in(4) {
        solver = solver.min_leaf_share(*dice.pick(&["0.1", "0.5", "1"]));
    }
    solver
}

fn run_model(bytes: &[u8]) -> Result<(), String> {
    let Ok(text) = std::str::from_utf8(bytes) else { return Ok(()) };
    let Ok(model) = Model::from_json(text) else { return Ok(()) };
    let rows = "colour,size,class\nred,1,a\nblue,2,b\npink,,a\n";
    let Ok((table, _)) = read_table(rows.as_bytes(), &ReadOptions::default()) else {
        return Err("the table cannot be read".into());
    };
    use_model(&model, None, &table)
}

/// Export a model in every format, save and load it, and predict with it.
fn use_model(model: &Model, dataset: Option<&Dataset>, table: &Table) -> Result<(), String> {
    let saved = model.to_json();
    match Model::from_json(&saved) {
        Ok(loaded) if loaded == *model => {}
        Ok(_) => return Err("a model is another one after it was saved".into()),
        Err(error) => return Err(format!("a saved model is refused: {error}")),
    }
    for shown in [model, &model.collapse()] {
        drop((shown.text(), shown.dot(), shown.svg(), shown.python(), shown.rust(), shown.onnx()));
        drop(shown.sql(&SqlOptions { table: Some("t".into()), probabilities: true }));
        drop((shown.predict(table), shown.evaluate(table)));
        shown.predict_row(|_| None);
    }
    let Some(dataset) = dataset else {
        drop(table.clone().dataset(model.roles()).map(|dataset| model.verify(&dataset)));
        return Ok(());
    };
    match model.verify(dataset) {
        Ok(found) if found.mismatches.is_empty() => Ok(()),
        Ok(found) => Err(format!("the table does not bear the model out: {:?}", found.mismatches)),
        Err(error) => Err(format!("the model's own table is refused: {error}")),
    }
}
