//! Tables made by rule, so that there is something to try at once and something to test on.

use super::{Column, Dataset, Table, Target};
use crate::error::Result;

/// A built-in table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Builtin {
    /// The 958 end positions of tic-tac-toe when `x` moves first: has `x` won?
    TicTacToe,
    /// 625 balances with a weight of 1 to 5 at a distance of 1 to 5 on each side: which way does it tip?
    BalanceScale,
    /// All 432 robots of the first MONK's problem: head and body of equal shape, or a red jacket.
    Monk1,
    /// The second MONK's problem: exactly two of the six properties have their first value.
    Monk2,
    /// The third MONK's problem: a green jacket and a sword, or a jacket not blue and a body not octagonal.
    Monk3,
}

impl Builtin {
    /// Every built-in table.
    pub const ALL: [Builtin; 5] =
        [Builtin::TicTacToe, Builtin::BalanceScale, Builtin::Monk1, Builtin::Monk2, Builtin::Monk3];

    /// The table's name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Builtin::TicTacToe => "tic-tac-toe",
            Builtin::BalanceScale => "balance-scale",
            Builtin::Monk1 => "monk1",
            Builtin::Monk2 => "monk2",
            Builtin::Monk3 => "monk3",
        }
    }

    /// The table of this name.
    pub fn from_name(name: &str) -> Option<Builtin> {
        Builtin::ALL.into_iter().find(|builtin| builtin.name() == name)
    }

    /// Make the table. Its last column is the class.
    pub fn table(self) -> Table {
        match self {
            Builtin::TicTacToe => tic_tac_toe(),
            Builtin::BalanceScale => balance_scale(),
            Builtin::Monk1 => robots(|r| r[0] == r[1] || r[4] == 0),
            Builtin::Monk2 => robots(|r| r.iter().filter(|&&value| value == 0).count() == 2),
            Builtin::Monk3 => robots(|r| (r[4] == 2 && r[3] == 0) || (r[4] != 3 && r[1] != 2)),
        }
    }

    /// The table with its last column as the target.
    pub fn dataset(self) -> Result<Dataset> {
        self.table().dataset(&Target::Last)
    }
}

fn table(names: &[&str], rows: &[Vec<&str>]) -> Table {
    let column = |(position, name): (usize, &&str)| {
        let values: Vec<&str> = rows.iter().map(|row| row[position]).collect();
        Column::from_values(*name, &values)
    };
    Table::from_columns(names.iter().enumerate().map(column).collect())
}

const SQUARES: [&str; 9] = [
    "top-left",
    "top-middle",
    "top-right",
    "middle-left",
    "centre",
    "middle-right",
    "bottom-left",
    "bottom-middle",
    "bottom-right",
];

const LINES: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

/// Boards are legal end positions if x has moved as often as o or once more, the side that has a
/// line made the last move, and the game is over.
fn tic_tac_toe() -> Table {
    const MARKS: [&str; 3] = ["x", "o", "blank"];
    let mut rows = Vec::new();
    for code in 0..3usize.pow(9) {
        let board: [usize; 9] = std::array::from_fn(|square| code / 3usize.pow(square as u32) % 3);
        let count = |mark| board.iter().filter(|&&m| m == mark).count();
        let has_line = |mark| LINES.iter().any(|line| line.iter().all(|&s| board[s] == mark));
        let (x_moves, o_moves) = (count(0), count(1));
        let over = match (has_line(0), has_line(1)) {
            (true, false) => x_moves == o_moves + 1,
            (false, true) => x_moves == o_moves,
            (false, false) => count(2) == 0 && x_moves == o_moves + 1,
            (true, true) => false,
        };
        if over {
            let mut row: Vec<&str> = board.iter().map(|&mark| MARKS[mark]).collect();
            row.push(if has_line(0) { "x won" } else { "x did not win" });
            rows.push(row);
        }
    }
    let names: Vec<&str> = SQUARES.into_iter().chain(["result"]).collect();
    table(&names, &rows)
}

fn balance_scale() -> Table {
    const DIGITS: [&str; 5] = ["1", "2", "3", "4", "5"];
    let mut rows = Vec::new();
    for code in 0..5usize.pow(4) {
        let sides: [usize; 4] = std::array::from_fn(|i| code / 5usize.pow(3 - i as u32) % 5);
        let torque = |weight: usize, distance: usize| (sides[weight] + 1) * (sides[distance] + 1);
        let tips = match torque(0, 1).cmp(&torque(2, 3)) {
            std::cmp::Ordering::Greater => "left",
            std::cmp::Ordering::Equal => "balanced",
            std::cmp::Ordering::Less => "right",
        };
        let mut row: Vec<&str> = sides.iter().map(|&side| DIGITS[side]).collect();
        row.push(tips);
        rows.push(row);
    }
    table(&["left weight", "left distance", "right weight", "right distance", "tips"], &rows)
}

fn robots(monk: impl Fn(&[usize; 6]) -> bool) -> Table {
    const PROPERTIES: [(&str, &[&str]); 6] = [
        ("head", &["round", "square", "octagon"]),
        ("body", &["round", "square", "octagon"]),
        ("smiling", &["yes", "no"]),
        ("holding", &["sword", "balloon", "flag"]),
        ("jacket", &["red", "yellow", "green", "blue"]),
        ("tie", &["yes", "no"]),
    ];
    let n_robots = PROPERTIES.iter().map(|(_, values)| values.len()).product();
    let mut rows = Vec::new();
    for code in 0..n_robots {
        let mut rest: usize = code;
        let robot: [usize; 6] = std::array::from_fn(|property| {
            let n_values = PROPERTIES[property].1.len();
            let value = rest % n_values;
            rest /= n_values;
            value
        });
        let mut row: Vec<&str> =
            robot.iter().zip(PROPERTIES).map(|(&value, (_, values))| values[value]).collect();
        row.push(if monk(&robot) { "monk" } else { "other" });
        rows.push(row);
    }
    let names: Vec<&str> = PROPERTIES.iter().map(|(name, _)| *name).chain(["robot"]).collect();
    table(&names, &rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_have_their_known_sizes_and_classes() {
        for (builtin, n_rows, n_columns, class, n_class) in [
            (Builtin::TicTacToe, 958, 10, "x won", 626),
            (Builtin::BalanceScale, 625, 5, "balanced", 49),
            (Builtin::Monk1, 432, 7, "monk", 216),
            (Builtin::Monk2, 432, 7, "monk", 142),
            (Builtin::Monk3, 432, 7, "monk", 228),
        ] {
            let table = builtin.table();
            assert_eq!((table.n_rows(), table.columns().len()), (n_rows, n_columns));
            let target = &table.columns()[n_columns - 1];
            let found = (0..n_rows).filter(|&row| target.value(row) == Some(class)).count();
            assert_eq!(found, n_class, "{}", builtin.name());
            assert_eq!(Builtin::from_name(builtin.name()), Some(builtin));
        }
    }
}
