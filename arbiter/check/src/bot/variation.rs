//! Requests with added lines: unknown ones, which every bot must skip, and the lines of a retry.

use rules::Prompt;
use text::printable;

use crate::report::lines_inside;

/// A line whose key no version of the protocol has.
const UNKNOWN: &str = "weather fair 3";

/// Unknown keys that begin like known ones.
const ALIKE: [&str; 3] = ["seeds 12", "viewpoint 1", "legality 2"];

/// Length of a line that makes a request longer, in bytes.
const FILLER: usize = 80;

/// Adds unknown keys to a request: before every line with a key, after the first two, and inside the
/// view.
pub(crate) fn with_unknown_keys(request: &str) -> String {
    let mut text = String::with_capacity(request.len() + 512);
    let mut inside = 0usize;
    for (number, line) in request.lines().enumerate() {
        if inside > 0 {
            inside -= 1;
            push(&mut text, line);
            continue;
        }
        if number > 1 {
            push(&mut text, UNKNOWN);
        }
        let (key, value) = line.split_once(' ').unwrap_or((line, ""));
        inside = lines_inside(key, value);
        if key == "view" {
            ALIKE.iter().for_each(|line| push(&mut text, line));
            push(&mut text, &format!("view {}", inside + 2));
            push(&mut text, "pile 3 unknown");
            push(&mut text, UNKNOWN);
        } else {
            push(&mut text, line);
        }
    }
    text
}

/// Adds more than this number of bytes to a request, as unknown lines before its view.
pub(crate) fn longer_by(request: &str, bytes: usize) -> String {
    let (before, after) = match request.find("\nview ") {
        Some(place) => request.split_at(place + 1),
        None => ("", request),
    };
    let mut text = before.to_owned();
    for number in 0..bytes / FILLER + 1 {
        let opening = format!("note {number} ");
        push(&mut text, &format!("{opening:x<width$}", width = FILLER - 1));
    }
    text.push_str(after);
    text
}

/// Makes a question a retry, with its number from 1 and the reason. The classic dialect has no words for
/// that.
pub(crate) fn with_second_chance(prompt: &Prompt, number: u32, reason: &str) -> Prompt {
    let request = match prompt {
        Prompt::Classic { .. } => return prompt.clone(),
        Prompt::Request(request) => request,
    };
    let mut text = String::with_capacity(request.len() + reason.len() + 32);
    let mut is_told = false;
    for line in request.lines() {
        // Before the view nothing else begins like this.
        if !is_told && line.starts_with("view ") {
            push(&mut text, &format!("retry {number}"));
            push(&mut text, &format!("reason {}", printable(reason)));
            is_told = true;
        }
        push(&mut text, line);
    }
    Prompt::Request(text)
}

fn push(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use rules::tablic::Tablic;
    use rules::{GameKind, Request};

    use contest::reviewing::with_time;

    use super::*;
    use crate::bot::samples;
    use crate::report::{WIDTH, abridged};

    fn read(text: &str) -> Request<Tablic> {
        text.parse().expect("a request")
    }

    #[test]
    fn what_is_added_says_nothing() {
        for sample in samples::for_game(&GameKind::of::<Tablic>(), "") {
            let request = sample.text;
            for other in [with_unknown_keys(request), longer_by(request, 64 << 10)] {
                assert_eq!(read(&other), read(request), "{}", sample.name);
                assert_eq!(other.lines().take(2).collect::<Vec<_>>().len(), 2);
                assert!(other.len() > request.len());
            }
            assert!(longer_by(request, 64 << 10).len() > request.len() + (64 << 10));
            assert_eq!(with_time(request, 5000), request);
            assert_eq!(read(&with_time(request, 77)).heading.time, 77);
        }
    }

    #[test]
    fn a_second_chance_is_told_as_in_a_match() {
        for sample in samples::for_game(&GameKind::of::<Tablic>(), "") {
            let first = Prompt::Request(sample.text.to_owned());
            let Prompt::Request(second) = with_second_chance(&first, 2, "not this, \u{1b}[2J")
            else {
                unreachable!("{first:?}")
            };
            let mut request = read(&second);
            let retry = request.heading.retry.take().expect("a second chance");
            assert_eq!((retry.number, retry.reason.as_str()), (2, "not this, \\u{1b}[2J"));
            assert_eq!(request, read(sample.text), "{}", sample.name);
        }
    }

    #[test]
    fn every_request_fits_on_a_screen() {
        for sample in samples::for_game(&GameKind::of::<Tablic>(), "") {
            for request in [sample.text.to_owned(), longer_by(sample.text, 1 << 16)] {
                let shown = abridged(&request);
                assert!(shown.len() < 34, "{}: {shown:#?}", sample.name);
                assert!(shown.iter().all(|line| line.chars().count() <= WIDTH + 1));
                assert_eq!(shown[..2], request.lines().take(2).collect::<Vec<_>>());
                assert_eq!(shown.last().map(String::as_str), Some("end"));
            }
        }
    }
}
