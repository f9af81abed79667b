//! True and false mean the same in upper and lower case.
//!
//! Python and pandas write `True`, Arrow and most languages `true`, R and spreadsheets `TRUE`. A model that
//! was fitted to one of them may meet the others. So a value with one of these spellings stands for all
//! three, unless training saw two of them as different values.

const SPELLINGS: [[&str; 3]; 2] = [["true", "True", "TRUE"], ["false", "False", "FALSE"]];

/// The spellings of the word that a text is, if it is one.
fn spellings_of(text: &str) -> Option<&'static [&'static str; 3]> {
    let is_text = |spelling: &&str| *spelling == text;
    SPELLINGS.iter().find(|word| word.iter().any(is_text))
}

/// Other spellings of a value that are not values themselves.
pub(crate) fn other_spellings(value: &str, values: &[String]) -> Vec<&'static str> {
    let Some(word) = spellings_of(value) else { return Vec::new() };
    let is_one = |value: &&String| word.iter().any(|spelling| spelling == value);
    if values.iter().filter(is_one).count() > 1 {
        return Vec::new();
    }
    word.iter().copied().filter(|spelling| *spelling != value).collect()
}

/// Where a text stands among values, whatever the case of true and false.
pub(crate) fn place_of(text: &str, values: &[String]) -> Option<usize> {
    let exact = values.iter().position(|value| value == text);
    exact.or_else(|| {
        let _ = spellings_of(text)?;
        values.iter().position(|value| other_spellings(value, values).contains(&text))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn true_and_false_are_words_in_any_usual_case() {
        let place = |values: &[&str], text| {
            let values: Vec<String> = values.iter().map(|value| value.to_string()).collect();
            place_of(text, &values)
        };
        for (text, found) in
            [("True", Some(1)), ("TRUE", Some(1)), ("False", Some(0)), ("tRUE", None)]
        {
            assert_eq!(place(&["false", "true"], text), found, "{text}");
        }
        assert_eq!(place(&["a", "True"], "true"), Some(1));
        assert_eq!(place(&["yes", "no"], "Yes"), None, "only these two words have usual cases");
        assert_eq!(place(&["True", "true"], "true"), Some(1));
        assert_eq!(place(&["True", "true"], "TRUE"), None, "training tells them apart");
    }
}
