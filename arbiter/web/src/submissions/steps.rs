//! The report of a check as a list of its steps. It is the text that `arbiter check` writes.

use maud::{Markup, html};
use text::{counted, printable};

/// The words at the beginnings of lines with a step, each with the class of its badge.
const WORDS: [(&str, &str, &str); 4] = [
    ("ok", "badge good", "✓ passed"),
    ("warning", "badge warn", "! warning"),
    ("FAILED", "badge bad", "✕ failed"),
    ("skipped", "badge", "skipped"),
];
/// The blanks before a line with details of a step.
const INDENT: &str = "         ";
const HINT: &str = "hint ";

#[derive(Debug, Default, PartialEq, Eq)]
struct ReportStep<'a> {
    /// The place of its word among [`WORDS`].
    word: usize,
    name: &'a str,
    note: &'a str,
    details: Vec<&'a str>,
}

/// The lines of a report before its steps, the steps, and the lines behind them.
fn parse(report: &str) -> (Vec<&str>, Vec<ReportStep<'_>>, Vec<&str>) {
    let (mut before, mut steps, mut behind) =
        (Vec::new(), Vec::<ReportStep<'_>>::new(), Vec::new());
    for line in report.lines() {
        let word = line.split(' ').next().unwrap_or_default();
        let word = WORDS.iter().position(|(own, ..)| *own == word);
        match (word, line.strip_prefix(INDENT), steps.last_mut()) {
            (_, Some(detail), Some(step)) => step.details.push(detail),
            (Some(word), ..) => {
                let rest = line[WORDS[word].0.len()..].trim_start();
                let (name, note) = rest.split_once("  ").unwrap_or((rest, ""));
                let (note, details) = (note.trim_start(), Vec::new());
                steps.push(ReportStep { word, name, note, details });
            }
            (None, _, None) if !line.is_empty() => before.push(line),
            (None, _, Some(_)) if !line.is_empty() => behind.push(line),
            (None, ..) => {}
        }
    }
    (before, steps, behind)
}

/// The steps, with what shows a failure below it. Once the check is over, those that passed are folded.
pub(super) fn list(report: &str) -> Markup {
    let (before, steps, behind) = parse(report);
    let is_over = !behind.is_empty();
    let (passed, others): (Vec<&ReportStep<'_>>, Vec<&ReportStep<'_>>) =
        steps.iter().partition(|step| is_over && WORDS[step.word].0 == "ok");
    html! {
        @if steps.is_empty() { (text("Report", &before)) } @else {
            @for line in behind { p { b { (printable(line)) } } }
            @if !others.is_empty() { ol.steps { @for step in others { (step_markup(step)) } } }
            @if !passed.is_empty() { details {
                summary { (counted(passed.len(), "passed step", "passed steps")) }
                p.quiet { "The bot's answer is shown beside each request." }
                ol.steps { @for step in passed { (step_markup(step)) } }
            } }
            @for line in before { p.quiet { (printable(line)) } }
        }
    }
}

fn step_markup(step: &ReportStep<'_>) -> Markup {
    let (word, class, said) = WORDS[step.word];
    let (hints, details): (Vec<&str>, Vec<&str>) =
        step.details.iter().partition(|line| line.starts_with(HINT));
    html! {
        li {
            span class=(class) { (said) } " " b { (printable(step.name)) } " " span { (printable(step.note)) }
            @for hint in hints { p.notice { b { "Fix: " } (printable(hint[HINT.len()..].trim_start())) } }
            @if !details.is_empty() {
                @match word {
                    "FAILED" => (text(step.name, &details)),
                    _ => details { summary { "Details" } (text(step.name, &details)) },
                }
            }
        }
    }
}

/// Lines as they are, in a box that can be scrolled.
fn text(label: &str, lines: &[&str]) -> Markup {
    html! {
        div.scroll role="group" aria-label={ "Text of " (printable(label)) } tabindex="0" {
            pre { @for line in lines { (printable(line)) "\n" } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = "bot: coup, seed 5c\n\nok       starts                    in 3 ms\nFAILED   legal move                printed no move\n         expected  a move\n         hint      flush the output\n\nbot does not pass: 1 of 2 steps failed, no warnings\n";

    #[test]
    fn a_report_is_read_step_by_step() {
        let (before, steps, behind) = parse(REPORT);
        assert_eq!(before, ["bot: coup, seed 5c"]);
        assert_eq!(behind, ["bot does not pass: 1 of 2 steps failed, no warnings"]);
        assert_eq!(
            steps[0],
            ReportStep { word: 0, name: "starts", note: "in 3 ms", details: vec![] }
        );
        assert_eq!((steps[1].name, steps[1].note), ("legal move", "printed no move"));
        assert_eq!(steps[1].details, ["expected  a move", "hint      flush the output"]);
        let shown = list(REPORT).into_string();
        assert!(shown.contains("<b>Fix: </b>flush the output"), "{shown}");
        assert!(shown.contains("<summary>1 passed step</summary>"), "{shown}");
        let checking = list("ok       starts                    in 3 ms\n").into_string();
        assert!(checking.contains("✓ passed") && !checking.contains("<summary>"), "{checking}");
        // The bot's output stays text, wherever it stands.
        let hostile = list("ok  <b>x\n         <script>\n").into_string();
        assert!(!hostile.contains("<script>") && !hostile.contains("<b>x"), "{hostile}");
        assert!(list("cannot unpack\n").into_string().contains("<pre>cannot unpack"));
    }
}
