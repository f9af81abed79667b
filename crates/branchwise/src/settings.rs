//! What a search is asked for: one set of structs for the library, the command line, Python and model files.
//!
//! [`Settings`] are the only place where an option is listed. [`Solver`](crate::Solver) takes them whole, the
//! command line and Python build them, and a model file stores them with the serde names of the fields. A new
//! option is a field here, or in one of the structs below, with `#[serde(default)]`: model files written before
//! it existed are then still read.

use crate::data::MissingValues;
use crate::decimal::{Decimal, Fraction};
use crate::encode::{ClassWeight, Costs, Offer};
use crate::error::{Error, Result};
use crate::limits::Limits;
use crate::objective::Price;
use crate::search::{Constraints, Engine};
use serde::{Deserialize, Serialize};

/// Everything that can be chosen about a search.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// What makes one tree better than another.
    #[serde(flatten)]
    pub goal: Goal,
    /// Which splits the columns offer.
    #[serde(flatten)]
    pub offer: Offer,
    /// Which spellings mean that a value is missing. The model keeps them, so that new rows are read in the
    /// same way as the training table.
    #[serde(default)]
    pub missing_values: MissingValues,
    /// Which trees are allowed.
    #[serde(default)]
    pub constraints: Constraints,
    /// Which search runs.
    #[serde(default)]
    pub engine: Engine,
    /// When the search stops without a proof, and how many threads it uses.
    #[serde(default)]
    pub limits: Limits,
}

/// What makes one tree better than another: the parts of the objective.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Goal {
    /// λ: how much accuracy a split must bring, at least 0 and less than 1.
    pub split_penalty: Decimal,
    /// What λ is paid for.
    pub price: Price,
    /// How much the rows of each class weigh.
    #[serde(default)]
    pub class_weight: ClassWeight,
    /// How much each wrong answer costs; `None`: all cost the same.
    #[serde(default)]
    pub costs: Option<Costs>,
}

impl Default for Goal {
    fn default() -> Self {
        Goal {
            split_penalty: Decimal::from(0.01),
            price: Price::default(),
            class_weight: ClassWeight::default(),
            costs: None,
        }
    }
}

impl Goal {
    /// λ as an exact fraction, if it is in range.
    pub(crate) fn penalty(&self) -> Result<Fraction> {
        let bad = || Error::BadPenalty { found: self.split_penalty.as_str().to_string() };
        if self.split_penalty.is_negative() {
            return Err(bad());
        }
        let penalty = self.split_penalty.fraction()?;
        if penalty.numerator < penalty.denominator { Ok(penalty) } else { Err(bad()) }
    }
}

impl Settings {
    /// Refuse settings that no table can meet.
    pub(crate) fn check(&self) -> Result<()> {
        self.constraints.check()?;
        self.offer.check()?;
        self.goal.penalty().map(drop)
    }

    /// Settings from JSON; a key that is not a setting is refused, so that none is lost by a misspelling.
    pub fn from_json(text: &str) -> Result<Settings> {
        let bad = |reason: String| Error::BadSettings { reason };
        let given: serde_json::Value =
            serde_json::from_str(text).map_err(|error| bad(error.to_string()))?;
        let settings: Settings = serde_json::from_value(given.clone())
            .map_err(|error| bad(wrong_setting(&given).unwrap_or(error.to_string())))?;
        match unknown_key(&given, &settings.to_value()) {
            Some(key) => Err(bad(format!("there is no setting \"{key}\""))),
            None => Ok(settings),
        }
    }

    /// The settings as JSON. Every setting is listed, `null` where there is none.
    pub fn to_json(&self) -> String {
        self.to_value().to_string()
    }

    fn to_value(&self) -> serde_json::Value {
        // Plain structs with string keys always serialise.
        serde_json::to_value(self).unwrap_or_default()
    }
}

/// Which setting cannot be read, and why: each is tried in place of its default.
fn wrong_setting(given: &serde_json::Value) -> Option<String> {
    given.as_object()?.iter().find_map(|(key, value)| {
        let mut settings = Settings::default().to_value();
        settings.as_object_mut()?.insert(key.clone(), value.clone());
        let error = serde_json::from_value::<Settings>(settings).err()?;
        Some(format!("{key}: {error}"))
    })
}

/// A key, at the top or in a group of settings, that only `given` has.
fn unknown_key(given: &serde_json::Value, known: &serde_json::Value) -> Option<String> {
    const GROUPS: [&str; 2] = ["constraints", "limits"];
    let known = known.as_object()?;
    given.as_object()?.iter().find_map(|(key, value)| match known.get(key) {
        None => Some(key.clone()),
        Some(group) if GROUPS.contains(&key.as_str()) => unknown_key(value, group),
        Some(_) => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_and_back() {
        let settings = Settings::default();
        assert_eq!(Settings::from_json(&settings.to_json()).unwrap(), settings);
        let misspelt = settings.to_json().replace("max_depth", "max_deph");
        let message = Settings::from_json(&misspelt).unwrap_err().to_string();
        assert!(message.contains("no setting \"max_deph\""), "{message}");
        let wrong = settings.to_json().replace("\"engine\":\"auto\"", "\"engine\":\"slow\"");
        let message = Settings::from_json(&wrong).unwrap_err().to_string();
        assert!(message.contains("engine: unknown variant"), "{message}");
    }

    #[test]
    fn the_penalty_is_checked() {
        let penalty =
            |text: &str| Goal { split_penalty: text.into(), ..Goal::default() }.penalty().is_ok();
        assert!(penalty("0") && penalty("0.999") && !penalty("1") && !penalty("-0.1"));
    }
}
