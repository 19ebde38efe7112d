//! Words of a text, cut down so that "settlers" meets "settler" and "the" meets nothing.

const EMPTY: &[&str] = &[
    "the", "and", "for", "with", "that", "this", "here", "now", "then", "when", "from", "into",
    "are", "its", "our", "you", "your", "has", "have", "not", "but", "all", "any", "per", "can",
    "turn", "tiles", "none", "unit", "build", "propose", "city",
];

/// The words that carry meaning, lower case, in order, repeats kept out.
pub(super) fn of(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for raw in text.split(|c: char| !c.is_alphanumeric()) {
        if let Some(word) = reduced(raw)
            && !found.contains(&word)
        {
            found.push(word);
        }
    }
    found
}

/// What an option is about, without the facts behind it.
pub(super) fn head(option: &str) -> &str {
    let ends = [":", ",", " (", " at ", " for ", " to ("].iter().filter_map(|end| option.find(end));
    &option[..ends.min().unwrap_or(option.len())]
}

/// Whether a text holds a reduced word.
pub(super) fn holds(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric()).any(|raw| {
        raw.len() >= word.len()
            && raw.len() <= word.len() + 2
            && reduced(raw).is_some_and(|w| w == word)
    })
}

fn reduced(raw: &str) -> Option<String> {
    let digits = raw.bytes().all(|b| b.is_ascii_digit());
    if raw.is_empty() || (raw.len() < 3 && !digits) {
        return None;
    }
    let lower = raw.to_lowercase();
    if EMPTY.contains(&lower.as_str()) {
        return None;
    }
    let stem = match lower.strip_suffix("ies").filter(|s| s.len() > 2) {
        Some(stem) => format!("{stem}y"),
        None => match lower.strip_suffix('s').filter(|s| s.len() > 2 && !s.ends_with('s')) {
            Some(stem) => stem.to_owned(),
            None => lower,
        },
    };
    (!EMPTY.contains(&stem.as_str())).then_some(stem)
}

/// Whether an action told in a few words is of the same kind as an option: its first three words,
/// or as many as it has, begin the option.
pub(super) fn of_same_kind(told: &str, option: &str) -> bool {
    let words = |text| str::split_whitespace(text).map(|w: &str| w.trim_end_matches([':', ',']));
    let mut option = words(option);
    let mut told = words(told).take(3).peekable();
    told.peek().is_some() && told.all(|w| option.next() == Some(w))
}

/// A number drawn for one item from a seed (FNV-1a, then a mix).
pub(super) fn lot(seed: u64, item: &str) -> u64 {
    let mut h = 0xcbf2_9ce4_8422_2325 ^ seed;
    for b in item.bytes() {
        h = (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3);
    }
    h ^= h >> 33;
    h = h.wrapping_mul(0xff51_afd7_ed55_8ccd);
    h ^ (h >> 33)
}

/// The number that stands right after a phrase.
pub(super) fn after(text: &str, phrase: &str) -> Option<f64> {
    let rest = &text[text.find(phrase)? + phrase.len()..];
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != '-' && c != '+');
    rest[..end.unwrap_or(rest.len())].parse().ok()
}

/// The number that stands right before a phrase, with its sign.
pub(super) fn before(text: &str, phrase: &str) -> Option<f64> {
    let head = &text[..text.find(phrase)?];
    let digits = head.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = &head[digits.len()..];
    let value: f64 = number.parse().ok()?;
    Some(if digits.ends_with('-') { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plural_meets_singular_and_numbers_are_found_beside_their_words() {
        assert_eq!(of("The Settlers found cities, and settlers"), ["settler", "found"]);
        assert!(holds("build Settlers: settler unit", "settler"));
        assert_eq!(before("4 food 7 shields in reach", " shields in"), Some(7.0));
        assert_eq!(after("now for 34 of 50 gold", "now for "), Some(34.0));
        assert_eq!(before("é settler units", " settler units"), None);
    }
}
