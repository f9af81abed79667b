//! The only place that converts the options of the command line to the settings of the library.

use crate::args::{MinLeaf, SearchArgs, TableArgs, WeightArgs};
use crate::failure::Failure;
use crate::input;
use branchwise::search::{Constraints, Limits};
use branchwise::{Goal, Settings};

/// The settings of `fit` and `path`.
pub(crate) fn settings(
    table: &TableArgs,
    weights: &WeightArgs,
    search: &SearchArgs,
) -> Result<Settings, Failure> {
    let mut offer = table.offer.offer();
    offer.first_column = search.first_column.clone();
    Ok(Settings {
        goal: goal(weights, search)?,
        offer,
        missing_values: table.read.missing_values().unwrap_or_default(),
        constraints: constraints(search),
        engine: search.engine.into(),
        limits: limits(search),
    })
}

fn goal(weights: &WeightArgs, search: &SearchArgs) -> Result<Goal, Failure> {
    Ok(Goal {
        split_penalty: search.split_penalty.as_str().into(),
        price: search.price.into(),
        class_weight: weights.class_weight.clone().unwrap_or_default(),
        costs: weights.cost_matrix.as_deref().map(input::costs).transpose()?,
    })
}

fn constraints(search: &SearchArgs) -> Constraints {
    let (min_leaf, min_leaf_share) = match search.min_leaf.clone() {
        Some(MinLeaf::Rows(rows)) => (Some(rows), None),
        Some(MinLeaf::Share(share)) => (None, Some(share)),
        None => (None, None),
    };
    Constraints {
        max_depth: search.max_depth,
        min_leaf,
        min_leaf_share,
        max_leaves: search.max_leaves,
        max_splits: search.max_splits,
    }
}

fn limits(search: &SearchArgs) -> Limits {
    Limits {
        time: search.time_limit,
        iterations: search.iteration_limit,
        memory: search.memory_limit,
        memo: search.memo_limit,
        threads: search.threads.or_else(|| std::thread::available_parallelism().ok()),
        ..Limits::default()
    }
}

#[cfg(test)]
mod tests {
    use crate::args::Args;
    use branchwise::Settings;
    use clap::CommandFactory;

    /// The names of all settings, those of groups without the group's name.
    fn names(settings: &serde_json::Value) -> Vec<String> {
        let of_one = |(name, value): (&String, &serde_json::Value)| match name.as_str() {
            "constraints" | "limits" => names(value),
            _ => vec![name.clone()],
        };
        settings.as_object().unwrap().iter().flat_map(of_one).collect()
    }

    /// Where the option is not called like the setting.
    fn option(setting: &str) -> &str {
        match setting {
            "costs" => "cost_matrix",
            "min_leaf_share" => "min_leaf",
            "time" => "time_limit",
            "iterations" => "iteration_limit",
            "memory" => "memory_limit",
            "memo" => "memo_limit",
            same => same,
        }
    }

    #[test]
    fn every_setting_has_an_option() {
        let settings = serde_json::from_str(&Settings::default().to_json()).unwrap();
        let names = names(&settings);
        assert!(names.contains(&"max_depth".to_string()), "{names:?}");
        let command = Args::command();
        for subcommand in ["fit", "path"] {
            let subcommand = command.find_subcommand(subcommand).unwrap();
            for name in &names {
                let has_option = subcommand.get_arguments().any(|arg| arg.get_id() == option(name));
                assert!(has_option, "{} has no option for {name}", subcommand.get_name());
            }
        }
    }
}
