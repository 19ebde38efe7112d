//! Prompt templates: files embedded in the binary, overridable by a folder, rendered strictly.
//! Their hashes are part of an episode's identity, because a changed word is another experiment.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use minijinja::value::Serde;
use minijinja::{Environment, UndefinedBehavior};
use serde::Serialize;

use crate::stop::Stop;

/// The templates of this crate, by name.
const EMBEDDED: &[(&str, &str)] = &[
    ("controller/system", include_str!("../prompts/controller/system.txt")),
    ("controller/user", include_str!("../prompts/controller/user.txt")),
    ("controller/again", include_str!("../prompts/controller/again.txt")),
    ("plan/form", include_str!("../prompts/plan/form.txt")),
    ("plan/again", include_str!("../prompts/plan/again.txt")),
];

/// A set of templates, ready to render.
pub struct Prompts {
    environment: Environment<'static>,
    sources: BTreeMap<String, String>,
}

/// What can be wrong with a template or its folder.
#[derive(Debug, thiserror::Error)]
pub enum PromptError {
    /// The text is not a template.
    #[error("prompt template {name:?} is not valid: {detail}")]
    Syntax {
        /// Which template.
        name: String,
        /// What the parser said.
        detail: String,
    },
    /// An overriding file could not be read.
    #[error("cannot read prompt file {path}: {detail}")]
    Unreadable {
        /// Which file.
        path: String,
        /// What the system said.
        detail: String,
    },
    /// The folder holds a file that overrides nothing.
    #[error("{path} overrides no known prompt template; known are: {known}")]
    Unknown {
        /// Which file.
        path: String,
        /// The names there are.
        known: String,
    },
    /// An override uses a variable that its template is never given.
    #[error(
        "prompt file {path} uses {{{{ {variable} }}}}, which this template is never given; \
             it is given: {known}"
    )]
    Variable {
        /// Which file.
        path: String,
        /// The variable.
        variable: String,
        /// The variables of the built-in template.
        known: String,
    },
    /// An overriding file is too large to be a prompt.
    #[error("prompt file {path} has {bytes} bytes, at most {FILE_BYTES_MAX} are allowed")]
    TooLarge {
        /// Which file.
        path: String,
        /// Its size.
        bytes: u64,
    },
}

/// A prompt template is a page or two; more is not a template.
const FILE_BYTES_MAX: u64 = 1 << 20;

/// Functions of the template language, which are no variables of ours.
const FUNCTIONS: [&str; 3] = ["range", "dict", "namespace"];

impl Prompts {
    /// The embedded templates of this crate and those that other crates bring.
    ///
    /// # Errors
    /// [`PromptError::Syntax`] when a text is not a template.
    pub fn new(more: &[(&str, &str)]) -> Result<Self, PromptError> {
        let sources = EMBEDDED.iter().chain(more).map(|(n, s)| ((*n).to_owned(), (*s).to_owned()));
        Self::compile(sources.collect())
    }

    /// Replaces templates by the files `<dir>/<name>.txt`.
    ///
    /// # Errors
    /// Any [`PromptError`]; a file that replaces nothing is one, because it is a misspelling.
    pub fn with_overrides(self, dir: &Path) -> Result<Self, PromptError> {
        let mut sources = self.sources.clone();
        let mut changed = BTreeMap::new();
        for path in files_below(dir)? {
            let name = path.strip_prefix(dir).unwrap_or(&path).with_extension("");
            let name = name.to_string_lossy().replace('\\', "/");
            if !sources.contains_key(&name) {
                let known = sources.keys().cloned().collect::<Vec<_>>().join(", ");
                return Err(PromptError::Unknown { path: path.display().to_string(), known });
            }
            let bytes = std::fs::metadata(&path).map_err(|e| unreadable(&path, &e))?.len();
            if bytes > FILE_BYTES_MAX {
                return Err(PromptError::TooLarge { path: path.display().to_string(), bytes });
            }
            let text = std::fs::read_to_string(&path).map_err(|e| unreadable(&path, &e))?;
            sources.insert(name.clone(), text);
            changed.insert(name, path);
        }
        let overridden = Self::compile(sources)?;
        for (name, path) in changed {
            let known = self.variables(&name);
            let used = overridden.variables(&name);
            if let Some(variable) = used.difference(&known).next() {
                return Err(PromptError::Variable {
                    path: path.display().to_string(),
                    variable: variable.clone(),
                    known: known.into_iter().collect::<Vec<_>>().join(", "),
                });
            }
        }
        Ok(overridden)
    }

    /// The variables a template uses. What the built-in one uses is what it is given.
    fn variables(&self, name: &str) -> BTreeSet<String> {
        let template = self.environment.get_template(name);
        let used = template.map(|t| t.undeclared_variables(false)).unwrap_or_default();
        used.into_iter().filter(|v| !FUNCTIONS.contains(&v.as_str())).collect()
    }

    /// BLAKE3 of each template's text, by name: the first 16 hexadecimal digits.
    pub fn hashes(&self) -> BTreeMap<String, String> {
        let hash = |s: &String| blake3::hash(s.as_bytes()).to_hex()[..16].to_owned();
        self.sources.iter().map(|(n, s)| (n.clone(), hash(s))).collect()
    }

    /// Renders one template.
    ///
    /// # Errors
    /// [`Stop::Template`] when it is unknown or uses a variable that is not there.
    pub fn render(&self, name: &str, context: impl Serialize) -> Result<String, Stop> {
        let broken = |e: minijinja::Error| Stop::Template {
            name: name.to_owned(),
            detail: format!("{e:#}").replace('\n', " "),
        };
        self.environment.get_template(name).and_then(|t| t.render(Serde(&context))).map_err(broken)
    }

    fn compile(sources: BTreeMap<String, String>) -> Result<Self, PromptError> {
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_auto_escape_callback(|_| minijinja::AutoEscape::None);
        for (name, source) in &sources {
            environment.add_template_owned(name.clone(), source.trim_end().to_owned()).map_err(
                |e| PromptError::Syntax { name: name.clone(), detail: format!("{e:#}") },
            )?;
        }
        Ok(Self { environment, sources })
    }
}

fn files_below(dir: &Path) -> Result<Vec<std::path::PathBuf>, PromptError> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir).map_err(|e| unreadable(dir, &e))? {
        let path = entry.map_err(|e| unreadable(dir, &e))?.path();
        if path.is_dir() {
            found.extend(files_below(&path)?);
        } else if path.extension().is_some_and(|e| e == "txt") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

fn unreadable(path: &Path, e: &std::io::Error) -> PromptError {
    PromptError::Unreadable { path: path.display().to_string(), detail: e.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_undefined_variable_is_an_error_that_names_the_template() {
        let prompts = Prompts::new(&[("x", "hello {{ who }}")]).expect("valid");
        assert_eq!(prompts.render("x", BTreeMap::from([("who", "you")])), Ok("hello you".into()));
        let Err(Stop::Template { name, detail }) =
            prompts.render("x", BTreeMap::<String, u8>::new())
        else {
            panic!("rendered an undefined variable")
        };
        assert_eq!(name, "x");
        assert!(detail.contains("undefined"), "{detail}");
    }
}
