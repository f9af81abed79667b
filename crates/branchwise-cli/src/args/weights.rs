//! Arguments about class weights, costs and the minimum number of rows in a leaf.

use branchwise::{ClassWeight, Decimal};
use clap::Args as ClapArgs;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Class weights and the costs of answers.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Weights and costs")]
pub(crate) struct WeightArgs {
    /// The weights of classes: "balanced", which gives all classes the same total weight, or a number for
    /// each class, e.g. "yes=5,no=1"
    #[arg(long, value_name = "WEIGHTS", value_parser = parse_class_weight)]
    pub(crate) class_weight: Option<ClassWeight>,

    /// A small table with the cost of each answer: a row for each true class, named in the first column,
    /// and a column for each answer
    #[arg(long, value_name = "FILE")]
    pub(crate) cost_matrix: Option<PathBuf>,
}

/// `balanced`, or `class=weight,…`.
fn parse_class_weight(text: &str) -> Result<ClassWeight, String> {
    if text == "balanced" {
        return Ok(ClassWeight::Balanced);
    }
    let mut weights = BTreeMap::new();
    for part in text.split(',') {
        let (class, weight) = part.rsplit_once('=').ok_or_else(|| {
            format!("expected \"balanced\", or weights such as \"yes=5,no=1\", got \"{text}\"")
        })?;
        let class = class.trim().to_string();
        if weights.insert(class.clone(), Decimal::from(weight.trim())).is_some() {
            return Err(format!("the class \"{class}\" has two weights"));
        }
    }
    Ok(ClassWeight::Named(weights))
}

/// The minimum number of rows in a leaf.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum MinLeaf {
    Rows(u64),
    Share(Decimal),
}

/// A number of rows, or `5%`.
pub(super) fn parse_min_leaf(text: &str) -> Result<MinLeaf, String> {
    let wrong = || format!("expected a number of rows, or a share such as 5%, got \"{text}\"");
    let Some(percent) = text.strip_suffix('%') else {
        return text.trim().parse().map(MinLeaf::Rows).map_err(|_| wrong());
    };
    let share = Decimal::from(format!("{}e-2", percent.trim()));
    share.fraction().map_err(|_| wrong())?;
    Ok(MinLeaf::Share(share))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn class_weights_and_shares() {
        assert_eq!(parse_class_weight("balanced"), Ok(ClassWeight::Balanced));
        let named = [("a=b".to_string(), Decimal::from("2")), ("c".into(), Decimal::from("0.5"))];
        let expected = ClassWeight::Named(named.into_iter().collect());
        assert_eq!(parse_class_weight("a=b=2, c = 0.5"), Ok(expected));
        assert!(parse_class_weight("yes").is_err());
        assert!(parse_class_weight("yes=1,yes=2").unwrap_err().contains("two weights"));
        assert_eq!(parse_min_leaf("12"), Ok(MinLeaf::Rows(12)));
        let Ok(MinLeaf::Share(share)) = parse_min_leaf("2.5%") else { panic!("a share") };
        assert_eq!(share.fraction().unwrap().to_f64(), 0.025);
        for wrong in ["", "%", "-5%", "5 rows", "five%"] {
            assert!(parse_min_leaf(wrong).is_err(), "{wrong}");
        }
    }
}
