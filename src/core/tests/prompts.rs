//! Prompt overrides as a user writes them: files in a folder.

use std::path::Path;

use saga_core::prompts::Prompts;

#[test]
fn an_override_with_a_misspelt_variable_is_refused_before_any_game() {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("prompts");
    std::fs::create_dir_all(&dir).expect("a folder for tests can be made");
    let check = |text: &str| {
        std::fs::write(dir.join("x.txt"), text).expect("a file can be written");
        let prompts = Prompts::new(&[("x", "hello {{ who }}")]).expect("valid");
        prompts.with_overrides(&dir).map(|_| ()).map_err(|e| e.to_string())
    };
    assert_eq!(check("{% for i in range(2) %}{{ who }}{% endfor %}"), Ok(()));
    let refused = check("hello {{ whom }}").expect_err("nobody is called whom");
    let words = "uses {{ whom }}, which this template is never given; it is given: who";
    assert!(refused.ends_with(words), "{refused}");
    let refused = check(&"x".repeat(2 << 20)).expect_err("no prompt is so large");
    assert!(refused.contains("has 2097152 bytes, at most 1048576"), "{refused}");
}
