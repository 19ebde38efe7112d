//! Small pieces of Markdown and number text that all tables share.

use crate::summary::Summary;

/// Text for a Markdown table cell or list item: one line, no column break, nothing a renderer would
/// read as markup. Server messages, paths and model output pass through here.
pub(crate) fn inline(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.split_whitespace().collect::<Vec<_>>().join(" ").chars() {
        if matches!(c, '|' | '<' | '>' | '`' | '*' | '[' | ']' | '\\' | '#') {
            out.push('\\');
        }
        if !c.is_control() {
            out.push(c);
        }
    }
    out
}

/// The same, cut after so many characters.
pub(crate) fn brief(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((cut, _)) => format!("{}…", inline(&text[..cut])),
        None => inline(text),
    }
}

/// `23.5 ± 2.1`; a dash where there is no number.
pub(crate) fn mean_std(summary: &Summary, decimals: usize) -> String {
    let number = |value: Option<f64>| match value {
        Some(value) => format!("{value:.decimals$}"),
        None => "—".to_owned(),
    };
    match summary.mean {
        None => "—".to_owned(),
        mean => format!("{} ± {}", number(mean), number(summary.std)),
    }
}

/// A Markdown table row.
pub(crate) fn row(cells: &[String]) -> String {
    format!("| {} |\n", cells.join(" | "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inline_text_cannot_break_a_table() {
        assert_eq!(inline("a|b\nc  <d>\u{7}"), "a\\|b c \\<d\\>");
    }
}
