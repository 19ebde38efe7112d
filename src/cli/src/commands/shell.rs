//! Words of a command that a user is told to type.

/// A word as a shell takes it for one.
pub(crate) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=,:+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_shell_would_split_is_quoted() {
        let check = |word: &str, want: &str| assert_eq!(quoted(word), want);
        check("runs/a-1", "runs/a-1");
        check("my runs", "'my runs'");
        check("it's", "'it'\\''s'");
        check("", "''");
    }
}
