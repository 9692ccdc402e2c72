//! Changes of a log as a table writes them.
//!
//! A change is a line from 0, `end-1` or `end`, with keys and places in what it holds, where `aN` is the answer N, and then
//! one of these: `=` for another value, in JSON or a text as it stands; `-` to remove it; `*` to double it; `^` for another
//! last digit; `>` for a blank before it; `<>` to swap two; `~` to swap their last words; `?` for this value, or none where
//! there is one. Besides, `copy` inserts a line before another one, `cut` removes the lines up to another one, and `all`
//! changes a text everywhere.

use serde_json::Value;

use crate::chain;

/// The lines of a log after some changes, without their chain.
pub fn forged(log: &str, changes: &str) -> Vec<Value> {
    let read = |content: &String| serde_json::from_str(&format!("{content}}}")).expect("JSON");
    let mut log = Value::Array(chain::contents(log).iter().map(read).collect());
    changes.split(", ").filter(|change| !change.is_empty()).for_each(|it| make(&mut log, it));
    match log {
        Value::Array(lines) => lines,
        other => vec![other],
    }
}

fn make(log: &mut Value, change: &str) {
    if let Some((from, to)) = change.strip_prefix("all ").and_then(|it| it.split_once(" = ")) {
        *log = serde_json::from_str(&log.to_string().replace(from, to)).expect("JSON");
        return;
    }
    let words: Vec<&str> = change.splitn(3, ' ').collect();
    let value = words.get(2).copied().unwrap_or_default();
    if let ["copy" | "cut", from, to] = words[..] {
        let [from, to] = [from, to].map(|place| line(log, place));
        let lines = log.as_array_mut().expect("lines");
        if words[0] == "copy" {
            lines.insert(to, lines[from].clone());
        } else {
            lines.drain(from..to);
        }
        return;
    }
    let path = pointer(log, words[0]);
    let before = log.pointer(&path).cloned().unwrap_or_default();
    let text = before.as_str().unwrap_or_default();
    let read = |value: &str| serde_json::from_str(value).unwrap_or_else(|_| value.into());
    match words[1] {
        "?" if !before.is_null() => remove(log, &path),
        "=" | "?" => set(log, &path, read(value)),
        "-" => remove(log, &path),
        "^" => {
            let (rest, last) = text.split_at(text.len() - 1);
            set(log, &path, format!("{rest}{}", if last == "0" { "1" } else { "0" }).into());
        }
        ">" => set(log, &path, format!(" {text}").into()),
        "*" => {
            let (parent, place) = path.rsplit_once('/').expect("a place");
            let list = log.pointer_mut(parent).and_then(Value::as_array_mut);
            let list = list.unwrap_or_else(|| unreachable!("{change}: no list"));
            list.insert(place.parse().expect("a place"), before);
        }
        swap => {
            let other = pointer(log, value);
            let mut two = log
                .pointer(&other)
                .cloned()
                .unwrap_or_else(|| unreachable!("{change}: no {other}"));
            let mut one = before.clone();
            if swap == "~" {
                let words = [&one, &two].map(|it| it.as_str().expect("words").to_owned());
                let [mine, yours] = words.each_ref().map(|it| it.rsplit(' ').next().expect("one"));
                two = words[0].replace(mine, yours).into();
                one = words[1].replace(yours, mine).into();
            }
            set(log, &path, two);
            set(log, &other, one);
        }
    }
}

fn set(log: &mut Value, path: &str, value: Value) {
    let (parent, key) = path.rsplit_once('/').expect("a key");
    match log.pointer_mut(parent).unwrap_or_else(|| unreachable!("no {path} in the log")) {
        Value::Object(values) => drop(values.insert(key.to_owned(), value)),
        values => values[key.parse::<usize>().expect("a place")] = value,
    }
}

fn remove(log: &mut Value, path: &str) {
    let (parent, key) = path.rsplit_once('/').expect("a key");
    match log.pointer_mut(parent).unwrap_or_else(|| unreachable!("no {path} in the log")) {
        Value::Object(values) => drop(values.remove(key)),
        values => drop(values.as_array_mut().map(|it| it.remove(key.parse().expect("a place")))),
    }
}

/// The number of a line.
fn line(log: &Value, word: &str) -> usize {
    let count = log.as_array().expect("lines").len();
    match word {
        "after" => count,
        "end" => count - 1,
        "end-1" => count - 2,
        number => number.parse().expect("a line"),
    }
}

/// The place of a value in the list of all lines.
fn pointer(log: &Value, path: &str) -> String {
    let (word, rest) = path.split_once('/').unwrap_or((path, ""));
    let line = line(log, word);
    if rest.is_empty() {
        return format!("/{line}");
    }
    let kind = log[line].as_object().and_then(|it| it.keys().next()).expect("a content");
    let list = |name: &str| {
        let list = log[line][kind][name].as_array();
        list.unwrap_or_else(|| unreachable!("{path}: no list of {name}"))
    };
    let number = rest.strip_prefix('a').and_then(|it| it.split('/').next()?.parse::<usize>().ok());
    if let Some(number) = number {
        let is_answer = |(_, it): &(usize, &Value)| !it["answer"].is_null();
        let place = list("inputs").iter().enumerate().filter(is_answer).nth(number);
        let (place, _) = place.expect("so many answers");
        let within = rest.split_once('/').map_or(String::new(), |(_, it)| format!("/answer/{it}"));
        return format!("/{line}/{kind}/inputs/{place}{within}");
    }
    match rest {
        "last" => format!("/{line}/{kind}/inputs/{}", list("inputs").len() - 1),
        "events/last" => format!("/{line}/{kind}/events/{}", list("events").len() - 1),
        rest => format!("/{line}/{kind}/{rest}"),
    }
}
