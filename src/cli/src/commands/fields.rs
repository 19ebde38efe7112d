//! Two JSON values compared field by field, for messages that name what differs and both values.

use serde_json::{Map, Value};

/// A field that is not the same on both sides.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Field {
    /// Where, as `game.turns_max`.
    pub(crate) at: String,
    /// On one side; `None` when it is not there.
    pub(crate) a: Option<Value>,
    /// On the other side; `None` when it is not there.
    pub(crate) b: Option<Value>,
}

/// All fields that differ, those of the first side in its order, then those only the other has.
pub(crate) fn differing(a: &Value, b: &Value) -> Vec<Field> {
    let mut found = Vec::new();
    compare(String::new(), Some(a), Some(b), &mut found);
    found
}

fn compare(at: String, a: Option<&Value>, b: Option<&Value>, found: &mut Vec<Field>) {
    if a == b {
        return;
    }
    if let Some((x, y)) = a.and_then(named).zip(b.and_then(named))
        && x != y
    {
        return compare(at, Some(&Value::Object(x)), Some(&Value::Object(y)), found);
    }
    let (Some(Value::Object(x)), Some(Value::Object(y))) = (a, b) else {
        found.push(Field { at, a: a.cloned(), b: b.cloned() });
        return;
    };
    for key in x.keys().chain(y.keys().filter(|key| !x.contains_key(*key))) {
        let below = if at.is_empty() { key.clone() } else { format!("{at}.{key}") };
        compare(below, x.get(key), y.get(key), found);
    }
}

/// A list of names with their values, such as the server's settings, as an object.
fn named(list: &Value) -> Option<Map<String, Value>> {
    let pair = |item: &Value| match item.as_array()?.as_slice() {
        [Value::String(name), value] => Some((name.clone(), value.clone())),
        _ => None,
    };
    let items = list.as_array().filter(|items| !items.is_empty())?;
    items.iter().map(pair).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_differing_field_is_named_with_both_values() {
        let a = json!({ "game": { "turns_max": 40, "seed": 1 }, "run": 1, "gone": true });
        let b = json!({ "game": { "turns_max": 50, "seed": 1 }, "run": 1, "new": [2] });
        let field = |at: &str, a, b| Field { at: at.to_owned(), a, b };
        let wanted = [
            field("game.turns_max", Some(json!(40)), Some(json!(50))),
            field("gone", Some(json!(true)), None),
            field("new", None, Some(json!([2]))),
        ];
        assert_eq!(differing(&a, &b), wanted);
    }

    #[test]
    fn of_a_list_of_names_and_values_only_what_differs_is_named() {
        let a = json!({ "settings": [["huts", "15"], ["xsize", "23"]] });
        let b = json!({ "settings": [["huts", "16"], ["xsize", "23"]] });
        let at = "settings.huts".to_owned();
        let field = Field { at, a: Some(json!("15")), b: Some(json!("16")) };
        assert_eq!(differing(&a, &b), [field]);
    }
}
