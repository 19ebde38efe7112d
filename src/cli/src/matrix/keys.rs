//! Finds keys an experiment file should not have, with the line they stand on and the key that was
//! probably meant, before serde sees them: its own message would name neither.

use std::ops::Range;

use serde::de::{self, DeserializeOwned, Deserializer, Visitor};
use toml::de::{DeTable, DeValue};

/// The known word nearest to `word`: the same but for case, or else the one with the fewest
/// insertions, deletions, replacements and swaps of neighbours; of equals the first. `None` when
/// more than half of the longer one would have to be edited: then nothing was meant.
pub(crate) fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // A word this long is near nothing, and comparing it takes memory by its length.
    if word.chars().nth(WORD_MAX).is_some() {
        return None;
    }
    let lower = word.to_lowercase();
    let edits = |known: &str| {
        let lower_known = known.to_lowercase();
        (distance(&lower, &lower_known), distance(word, known))
    };
    let (edits, near) =
        known.into_iter().map(|known| (edits(known), known)).min_by_key(|(edits, _)| *edits)?;
    let longer = word.chars().count().max(near.chars().count());
    (edits.0 * 2 <= longer).then_some(near)
}

/// Characters of a word that may be near another.
const WORD_MAX: usize = 64;

fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let width = b.len() + 1;
    let mut rows: Vec<usize> = vec![0; (a.len() + 1) * width];
    let at = |i: usize, j: usize| i * width + j;
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[at(i, j)] = if i == 0 || j == 0 {
                i + j
            } else {
                let differs = usize::from(a[i - 1] != b[j - 1]);
                let mut best = rows[at(i - 1, j - 1)] + differs;
                best = best.min(rows[at(i - 1, j)] + 1).min(rows[at(i, j - 1)] + 1);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    best = best.min(rows[at(i - 2, j - 2)] + 1);
                }
                best
            };
        }
    }
    rows[at(a.len(), b.len())]
}

/// A key that nothing reads.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct UnknownKey {
    /// Line in the file, from 1.
    pub(crate) line: usize,
    /// Dotted path of the table it stands in; empty at the top.
    pub(crate) section: String,
    /// The key as written.
    pub(crate) key: String,
    /// What was probably meant.
    pub(crate) nearest: &'static str,
    /// Everything that may stand there.
    pub(crate) known: &'static [&'static str],
}

/// Checks the keys of `table`, which stands at `section`, against the fields of `T`.
pub(crate) fn check<T: DeserializeOwned>(
    text: &str,
    section: &str,
    table: &DeTable<'_>,
) -> Result<(), UnknownKey> {
    let known = fields::<T>();
    let strange = table
        .keys()
        .filter(|key| !known.contains(&key.get_ref().as_ref()))
        .min_by_key(|key| key.span().start);
    let Some(key) = strange else { return Ok(()) };
    Err(UnknownKey {
        line: line_of(text, key.span().start),
        section: section.to_owned(),
        key: key.get_ref().to_string(),
        nearest: nearest(key.get_ref(), known.iter().copied()).unwrap_or_default(),
        known,
    })
}

/// The line, from 1, on which the value at a dotted path (`game.size`, `planners.1.name`) stands.
pub(crate) fn line_at(text: &str, path: &str) -> Option<usize> {
    let table = DeTable::parse(text).ok()?;
    Some(line_of(text, find(table.get_ref(), path)?.start))
}

/// The value at a dotted path as it is written.
pub(crate) fn written_at<'t>(text: &'t str, path: &str) -> Option<&'t str> {
    let table = DeTable::parse(text).ok()?;
    text.get(find(table.get_ref(), path)?)
}

/// Where a value stands. A key may hold dots itself, when it was written in quotes.
fn find(table: &DeTable<'_>, path: &str) -> Option<Range<usize>> {
    if let Some(value) = table.get(path) {
        return Some(value.span());
    }
    let (key, rest) = path.split_once('.')?;
    match table.get(key)?.get_ref() {
        DeValue::Table(inner) => find(inner, rest),
        DeValue::Array(items) => {
            let (i, rest) = rest.split_once('.').map_or((rest, None), |(i, r)| (i, Some(r)));
            let item = items.get(i.parse::<usize>().ok()?)?;
            match (item.get_ref(), rest) {
                (_, None) => Some(item.span()),
                (DeValue::Table(inner), Some(rest)) => find(inner, rest),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The line, from 1, in which a byte stands.
pub(crate) fn line_of(text: &str, byte: usize) -> usize {
    text.bytes().take(byte).filter(|b| *b == b'\n').count() + 1
}

/// The field names of a struct as serde sees them, asked of its own `Deserialize`.
fn fields<T: DeserializeOwned>() -> &'static [&'static str] {
    let mut found: &'static [&'static str] = &[];
    // The probe always answers with an error; what it saw is in `found`.
    let _ = T::deserialize(Probe(&mut found));
    found
}

struct Probe<'a>(&'a mut &'static [&'static str]);

impl<'de> Deserializer<'de> for Probe<'_> {
    type Error = de::value::Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Self::Error> {
        Err(de::Error::custom("only the fields are wanted"))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Self::Error> {
        *self.0 = fields;
        Err(de::Error::custom("only the fields are wanted"))
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_is_by_edits_with_swaps() {
        let check = |word: &str, want: &str| {
            let known = ["turns_max", "rounds_max", "size", "ruleset", "direct", "mastaba"];
            assert_eq!(nearest(word, known), Some(want), "{word}");
        };
        check("turns", "turns_max");
        check("rounds_mx", "rounds_max");
        check("masatba", "mastaba");
        check("szie", "size");
        check("TURNS_MAX", "turns_max");
        check("Direct", "direct");
        assert_eq!(nearest("", ["size"]), None);
        assert_eq!(nearest("zebra", ["size", "direct"]), None, "nothing was meant");
        assert_eq!(nearest("x", []), None);
    }

    #[test]
    fn a_swap_of_neighbours_is_one_edit() {
        assert_eq!(distance("ab", "ba"), 1);
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
    }

    #[test]
    fn values_are_found_by_dotted_path() {
        let text =
            "runs = 2\nplanners = [\n  \"direct\",\n  { name = \"x\" },\n]\n[game]\nsize = 3\n";
        assert_eq!(line_at(text, "runs"), Some(1));
        assert_eq!(line_at(text, "planners.1.name"), Some(4));
        assert_eq!(line_at(text, "game.size"), Some(7));
        assert_eq!(line_at(text, "game.nothing"), None);
        assert_eq!(line_at("[game.settings]\n\"a.b\" = 1", "game.settings.a.b"), Some(2));
    }
}
