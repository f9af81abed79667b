//! The splits that columns offer, in words and as JSON.

use branchwise::data::LeftOut;
use branchwise::encode::{Encoder, Feature, Input, Levels};
use branchwise::visible;
use serde::Serialize;

/// What one column offers.
pub(crate) struct Offered<'e> {
    pub(crate) input: &'e Input,
    /// Splits with a child for each value, and yes/no splits on values.
    n_ways: usize,
    n_questions: usize,
}

impl<'e> Offered<'e> {
    /// What each column offers, in their order.
    pub(crate) fn of(encoder: &'e Encoder) -> Vec<Self> {
        let offered = |input| Offered { input, n_ways: 0, n_questions: 0 };
        let mut columns: Vec<Offered> = encoder.inputs().iter().map(offered).collect();
        for feature in encoder.features() {
            let offered = &mut columns[feature.column()];
            match feature {
                Feature::Values { .. } => offered.n_ways += 1,
                Feature::Is { .. } => offered.n_questions += 1,
                Feature::AtMost { .. } => {}
            }
        }
        columns
    }

    /// How many splits.
    pub(crate) fn n_splits(&self) -> usize {
        self.n_ways + self.n_questions + self.input.cuts().len()
    }

    /// How many thresholds there are, and how many there could be; `None` for categories.
    pub(crate) fn thresholds(&self) -> Option<(usize, usize)> {
        match &self.input.levels {
            Levels::Categories { .. } => None,
            Levels::Order { cuts, .. } => Some((cuts.len(), self.input.distinct.saturating_sub(1))),
        }
    }

    /// In words: `3 ways: small, medium, large`, `8 of 72 thresholds: ≤ 23.5 … ≤ 71`.
    pub(crate) fn words(&self, most: usize) -> String {
        if let Some(why) = self.input.left_out {
            return shortened(format!("left out: {why}"), 2 * most);
        }
        if self.input.n_cells() < 2 {
            return "nothing: it has one value only".into();
        }
        let labels: Vec<String> = self.input.labels().iter().map(|label| visible(label)).collect();
        let Some((n, all)) = self.thresholds() else {
            let ways = format!("{} ways", labels.len());
            let questions = format!("{} yes/no", self.n_questions);
            let what = match (self.n_ways, self.n_questions) {
                (_, 0) => ways,
                (0, _) => questions,
                _ => format!("{ways} and {questions}"),
            };
            return shortened(format!("{what}: {}", labels.join(", ")), most);
        };
        let missing = self.input.missing.as_ref().map(|name| format!("= {name}"));
        let noun = if n == 1 { "threshold" } else { "thresholds" };
        let n = if n == all { n.to_string() } else { format!("{n} of {all}") };
        let cuts = match self.input.cuts() {
            [] => return missing.map_or(String::new(), |missing| format!("yes/no: {missing}")),
            [one] => format!("≤ {one}"),
            [one, two] => format!("≤ {one}, ≤ {two}"),
            [first, .., last] => format!("≤ {first} … ≤ {last}"),
        };
        let missing = missing.map_or(String::new(), |missing| format!(", {missing}"));
        shortened(format!("{n} {noun}: {cuts}{missing}"), most)
    }

    pub(crate) fn json(&self) -> Json<'e> {
        let input = self.input;
        Json {
            name: &input.name,
            kind: input.kind.name(),
            distinct: input.distinct,
            splits: self.n_splits(),
            thresholds: self.thresholds().map(|_| input.cuts()),
            all_thresholds: self.thresholds().map(|(n, all)| n == all),
            left_out: input.left_out,
        }
    }
}

/// What a column offers; documented in docs/formats.md.
#[derive(Serialize)]
pub(crate) struct Json<'e> {
    name: &'e str,
    kind: &'static str,
    distinct: usize,
    splits: usize,
    thresholds: Option<&'e [String]>,
    all_thresholds: Option<bool>,
    left_out: Option<LeftOut>,
}

/// The text, cut to at most this many letters.
fn shortened(text: String, most: usize) -> String {
    if text.chars().count() <= most {
        return text;
    }
    let kept: String = text.chars().take(most.saturating_sub(2)).collect();
    format!("{} …", kept.trim_end_matches([' ', ',']))
}
