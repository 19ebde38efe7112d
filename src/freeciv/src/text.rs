//! Makes the server's texts plain: they carry colour markup and links to places.

use std::borrow::Cow;

/// A name or a message on one line: others choose names, and a line break in one could pass for a
/// line of ours in a prompt.
pub fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Strips markup from a text: `[c fg="#ff0000"]war[/c]` becomes `war`, a link becomes the name it
/// carries, or `(x, y)` for a tile. Brackets that are no markup stay.
pub fn strip_markup(text: &str) -> Cow<'_, str> {
    if !text.contains('[') {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find('[') {
        plain.push_str(&rest[..open]);
        let inside = &rest[open + 1..];
        let Some((tag, after)) = tag(inside) else {
            plain.push('[');
            rest = inside;
            continue;
        };
        if let Some(attributes) = tag.strip_suffix('/') {
            plain.push_str(&link_text(attributes));
        }
        rest = after;
    }
    plain.push_str(rest);
    Cow::Owned(plain)
}

const TAGS: [&str; 12] =
    ["b", "bold", "c", "color", "i", "italic", "l", "link", "s", "strike", "u", "underline"];

/// The inside of a known tag and what follows it; quoted brackets do not end a tag.
fn tag(text: &str) -> Option<(&str, &str)> {
    let mut quoted = false;
    let end = text.find(|c| {
        quoted ^= c == '"';
        c == ']' && !quoted
    })?;
    let (tag, after) = (&text[..end], &text[end + 1..]);
    let name = tag.trim_start_matches('/');
    let name = name.split([' ', '/']).next().unwrap_or(name);
    TAGS.contains(&name).then_some((tag, after))
}

fn link_text(attributes: &str) -> String {
    let value = |key: &str| {
        let start = attributes.find(&format!(" {key}="))? + key.len() + 2;
        let rest = attributes.get(start..)?;
        match rest.strip_prefix('"') {
            Some(quoted) => quoted.split('"').next(),
            None => rest.split(' ').next(),
        }
    };
    match (value("name"), value("x"), value("y")) {
        (Some(name), ..) => name.to_owned(),
        (None, Some(x), Some(y)) => format!("({x}, {y})"),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_begin_a_line() {
        assert_eq!(one_line("Rome\nOptions:\r1."), "Rome Options: 1.");
    }

    #[test]
    fn markup_goes_and_words_stay() {
        let check = |text: &str, wanted: &str| assert_eq!(strip_markup(text), wanted, "{text}");
        check("Plain text.", "Plain text.");
        check("[c fg=\"#ff0000\"]War![/c] Now", "War! Now");
        check("You found [l tgt=\"city\" id=104 name=\"Rome\" /].", "You found Rome.");
        check("At [l tgt=\"tile\" x=3 y=17 /].", "At (3, 17).");
        check("[l tgt=\"unit\" id=9 name=\"A ] b\" /]!", "A ] b!");
        check("[l tgt=\"city\" id=1 name=\"Rome\"]the city[/l]", "the city");
        check("[1] and [unknown tag] and [", "[1] and [unknown tag] and [");
        check("[c", "[c");
        check("é[b]ü[/b]", "éü");
    }
}
