//! Fit a tree to a built-in table and read it.

use branchwise::{Builtin, Solver, Status};

fn main() -> branchwise::Result<()> {
    let robots = Builtin::Monk1.dataset()?;
    let solution = Solver::new().split_penalty(0.01).fit(&robots)?;

    let drawing = solution.model.text();
    assert!(drawing.starts_with("head?"));
    assert_eq!(solution.status, Status::Optimal);
    assert_eq!(solution.report.accuracy, 1.0);

    let row = [("head", "round"), ("body", "square"), ("jacket", "red")];
    let answer = solution.model.predict_row(|column| {
        row.iter().find(|(name, _)| *name == column).map(|(_, value)| *value)
    });
    assert_eq!(answer.class, "monk");
    Ok(())
}
