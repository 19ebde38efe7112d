//! Reads a choice out of what a model wrote. Strict where it matters: a reply that could mean two
//! options is no answer.

use serde_json::Value;

/// The chosen option, counted from 0.
///
/// # Errors
/// Why the text is not one of `count` options, in a few words.
pub(super) fn choice(text: &str, options: &[String]) -> Result<usize, String> {
    let text = text.trim();
    if text.is_empty() {
        return Err("the reply was empty".to_owned());
    }
    if let Some(number) = json_number(text) {
        return in_range(number, options.len());
    }
    if let Some(i) = options.iter().position(|o| o == text) {
        return Ok(i);
    }
    let mut numbers: Vec<i64> = whole_numbers(text);
    numbers.dedup();
    match numbers[..] {
        [one] => in_range(one, options.len()),
        [] => Err("the reply held no number".to_owned()),
        [first, ..] if leads(text, first) => in_range(first, options.len()),
        _ => Err("the reply held several numbers".to_owned()),
    }
}

/// `3`, or an object with `choice`, `option`, `number` or `answer`.
fn json_number(text: &str) -> Option<i64> {
    let fenced = text.trim_start_matches("```json").trim_matches('`').trim();
    match serde_json::from_str(fenced).ok()? {
        Value::Number(n) => n.as_i64(),
        Value::Object(o) => ["choice", "option", "number", "answer"]
            .iter()
            .find_map(|k| o.get(*k))
            .and_then(|v| v.as_i64().or_else(|| v.as_str()?.trim().parse().ok())),
        _ => None,
    }
}

/// Whether the text begins with this number as its answer: something ends it, and what follows is
/// not a second choice.
fn leads(text: &str, number: i64) -> bool {
    const ENDS: [char; 7] = ['.', ':', ')', ' ', '\n', '-', ','];
    let Some(rest) = text.strip_prefix(&number.to_string()) else { return false };
    let next = rest.trim_start_matches(ENDS);
    let word = next.split(|c: char| !c.is_alphanumeric()).next().unwrap_or("");
    let second = word.starts_with(|c: char| c.is_ascii_digit()) || matches!(word, "or" | "and");
    next.len() < rest.len() && !second
}

fn whole_numbers(text: &str) -> Vec<i64> {
    text.split(|c: char| !c.is_ascii_digit())
        .filter(|s| !s.is_empty() && s.len() < 10)
        .filter_map(|s| s.parse().ok())
        .collect()
}

fn in_range(number: i64, count: usize) -> Result<usize, String> {
    match usize::try_from(number) {
        Ok(n) if (1..=count).contains(&n) => Ok(n - 1),
        _ => Err(format!("{number} is not between 1 and {count}")),
    }
}

#[cfg(test)]
mod tests {
    use super::choice;

    fn check(text: &str, expected: Result<usize, &str>) {
        let options: Vec<String> =
            ["move north", "fortify here", "do nothing"].map(Into::into).into();
        assert_eq!(choice(text, &options), expected.map_err(str::to_owned), "{text:?}");
    }

    #[test]
    fn numbers_objects_and_labels_are_read_and_doubt_is_not() {
        check("2", Ok(1));
        check(" 3.\n", Ok(2));
        check("{\"choice\": 1}", Ok(0));
        check("```json\n{\"answer\":\"2\"}\n```", Ok(1));
        check("fortify here", Ok(1));
        check("I choose option 3.", Ok(2));
        check("2. fortify here, since 3 enemies are near", Ok(1));
        check("1 - fortify; 2 enemies come", Ok(0));
        for doubt in ["either 1 or 2", "1 or 2", "1 and then 2", "2.5", "3 2 1", "1-3", "2, 3"] {
            check(doubt, Err("the reply held several numbers"));
        }
        check("0", Err("0 is not between 1 and 3"));
        check("17", Err("17 is not between 1 and 3"));
        check("north", Err("the reply held no number"));
        check("", Err("the reply was empty"));
        check("99999999999999999999", Err("the reply held no number"));
    }
}
