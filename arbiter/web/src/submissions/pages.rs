//! The pages where bots are handed in. They look after themselves: `hand-in.js` takes changes over and leaves
//! forms alone, so nothing goes away under the reader's hand.

use axum::response::Html;
use maud::{Markup, html};
use text::printable;

use super::answer::lateness_text;
use check::bot::StepName;
use league::bot_games::FaultReport;
use league::entry::queue::{PendingSubmissions, QueuePosition};
use league::submissions::{
    RejectionStage, Submission, SubmissionSummary, SubmissionVerdict, SummaryVerdict,
};
use report::html::layout::{Page, PageLocation, scrolled};
use report::league::announcements::{self, Announcements};
use text::counted;

/// The files that a browser offers first; the content decides.
const KINDS: &str = ".zip,.gz,.tgz,.py,.js,.c,.cpp,.java,.go,.rb,.pl,.lua,.sh,.rs";

/// A visitor of the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PageVisitor {
    /// A participant with a token.
    Participant(String),
    /// Anybody, while a code lets people register.
    MayRegister,
    /// Anybody else.
    Stranger,
}

/// The page for all, or for a participant with a token.
pub(super) fn overview(
    visitor: &PageVisitor,
    announced: &Announcements,
    own: &[(Submission, QueuePosition)],
    latest: &[SubmissionSummary],
    undecided: &PendingSubmissions,
) -> Html<String> {
    let is_waiting = own.iter().any(|(submission, _)| submission.is_waiting());
    let body = html! {
        header.top.slim data-own { div.wrap {
            p.crumbs { a href="../" { "League" } }
            h1 { "Hand in a bot" }
        } }
        main.wrap id="main" data-waiting[is_waiting] {
            (announced.lines())
            @if let Some(times) = announced.times() {
                section id="calendar" aria-labelledby="calendar-title" data-own {
                    h2 id="calendar-title" { "Calendar" }
                    (times)
                }
            }
            @match visitor {
                PageVisitor::Stranger => (sign_in()),
                PageVisitor::MayRegister => { (sign_in()) (register()) },
                PageVisitor::Participant(name) => {
                    (form(name))
                    (mine(own))
                }
            }
            (queue(undecided))
            (everyone(latest, undecided))
        }
    };
    page("hand in a bot", PageLocation::SERVED.below(), body)
}

/// The page of a submission, for the participant.
pub(super) fn submission(
    submission: &Submission,
    standing: QueuePosition,
    report: Option<&str>,
    is_kept: bool,
) -> Html<String> {
    let title = format!("Submission {} of {}", submission.number, submission.participant);
    let body = html! {
        header.top.slim data-own { div.wrap {
            p.crumbs { a href="../../" { "League" } " / " a href="../" { "Hand in a bot" } }
            h1 { (title) }
        } }
        main.wrap id="main" data-waiting[submission.is_waiting()] {
            section id="verdict" aria-labelledby="verdict-title" data-own {
                h2 id="verdict-title" { "Verdict" }
                p role="status" { (own_verdict(submission, standing)) }
                p.quiet {
                    "File: "
                    @match (&submission.record.file, is_kept) {
                        (Some(file), true) => a href={ (submission.number) "/file" } { code { (file) } },
                        (None, true) => a href={ (submission.number) "/file" } { "the upload" },
                        (Some(file), false) => { code { (file) } ", which is no longer kept" },
                        (None, false) => "no longer kept",
                    }
                }
                @if is_kept && !submission.is_waiting() {
                    div {
                        form data-sign data-then="number" method="post" action={ (submission.number) "/again" } {
                            button type="submit" { "Hand in this file again" }
                        }
                        p.told role="status" {}
                    }
                }
                @if let SubmissionVerdict::Late(seconds) = submission.record.verdict { p { (lateness_text(seconds)) "." } }
                @if let SubmissionVerdict::Refused { why, .. } = &submission.record.verdict {
                    p { (why) }
                    p { "Fix it and " a href="../" { "hand it in again" } "." }
                }
            }
            @if let Some(report) = report {
                section id="report" aria-labelledby="report-title" data-own {
                    h2 id="report-title" { "Report" }
                    p.quiet { "Only you can see this." }
                    div.scroll role="region" aria-label="Report" tabindex="0" { pre { (report) } }
                }
            }
        }
    };
    page(&title, PageLocation::SERVED.below().below(), body)
}

/// The page of the faults of a participant's bot.
pub(super) fn faults(told: &[FaultReport]) -> Html<String> {
    let body = html! {
        header.top.slim data-own { div.wrap {
            p.crumbs { a href="../" { "League" } " / " a href="./" { "Hand in a bot" } }
            h1 { "Faults of your bot" }
            p.quiet { "The latest games that it forfeited in finished rounds. Only you can see this." }
        } }
        main.wrap id="main" {
            @if told.is_empty() { p { "There are none." } }
            @for fault in told {
                @let name = format!("fault-{}-{}", fault.round, fault.game);
                section id=(name) aria-labelledby={ (name) "-title" } data-own {
                    h2 id={ (name) "-title" } {
                        (fault.bot) ": " (fault.verdict) " in "
                        a href={ "../rounds/" (fault.round) "/game.html#game=" (fault.game) "&step=fault" } {
                            "game " (fault.game) " of round " (fault.round)
                        }
                    }
                    @if !fault.detail.is_empty() { p { (printable(&fault.detail)) } }
                    p { "Printed: " code { (printable(&fault.printed)) } }
                    div.scroll role="region" aria-label="Standard error" tabindex="0" {
                        pre { (readable_stderr(&fault.stderr)) }
                    }
                }
            }
        }
    };
    page("faults of your bot", PageLocation::SERVED.below(), body)
}

/// Standard error line by line, without letters that a browser would not show.
fn readable_stderr(stderr: &[u8]) -> String {
    if stderr.is_empty() {
        return "nothing on standard error".to_owned();
    }
    String::from_utf8_lossy(stderr).lines().map(|line| printable(line) + "\n").collect()
}

pub(crate) fn page(title: &str, location: PageLocation, body: Markup) -> Html<String> {
    let styles: &[&str] = &["hand-in.css"];
    let scripts: &[&str] = &["renewal.js", "hand-in.js", announcements::SCRIPT];
    // It asks for changes itself.
    let location = location.self_updating();
    let page = Page { title, location, styles, scripts, data: &[], body };
    Html(page.render().into_string())
}

fn sign_in() -> Markup {
    html! {
        section id="sign-in" aria-labelledby="sign-in-title" data-own {
            h2 id="sign-in-title" { "Sign in" }
            form.hand-in data-sign method="post" action="sign-in" {
                label for="token" { "Your token" }
                input id="token" name="token" type="password" required autocomplete="current-password" spellcheck="false";
                button type="submit" { "Sign in" }
            }
            p.told role="status" {}
            p.quiet { "You got it from the organiser of the league. It is kept in a cookie, for this page only." }
        }
    }
}

fn register() -> Markup {
    html! {
        section id="register" aria-labelledby="register-title" data-own {
            h2 id="register-title" { "Register" }
            form.hand-in data-sign data-then="token" method="post" action="register" {
                label for="code" { "The code of the class, and a name for you and your bots" }
                input id="code" name="code" required autocomplete="off" spellcheck="false" aria-label="Code" placeholder="code";
                input name="name" required autocomplete="off" spellcheck="false" aria-label="Name" placeholder="name";
                button type="submit" { "Register" }
            }
            p.told role="status" {}
            p.quiet { "Everyone sees the name in the standings: a nickname will do." }
        }
    }
}

/// The page with a new token.
pub(super) fn new_token(name: &str, token: &str) -> Html<String> {
    let body = html! {
        header.top.slim data-own { div.wrap {
            p.crumbs { a href="../" { "League" } " / " a href="./" { "Hand in a bot" } }
            h1 { "Your token" }
        } }
        main.wrap id="main" {
            section id="token" aria-labelledby="token-title" data-own {
                h2 id="token-title" { "Token of " (name) }
                p { code.hash { (token) } }
                p { "Keep it: it is shown only once, and signs you in on other machines." }
                p { a href="./" { "Go on" } }
            }
        }
    };
    page("your token", PageLocation::SERVED.below(), body)
}

fn form(name: &str) -> Markup {
    html! {
        section id="hand-in" aria-labelledby="hand-in-title" data-own {
            h2 id="hand-in-title" { "Hand in a bot as " (name) }
            form.hand-in id="upload" method="post" action="./" {
                label for="file" { "An archive (.zip or .tar.gz) with a bot.toml, or a single source" }
                input id="file" type="file" required accept=(KINDS);
                button type="submit" { "Hand in" }
            }
            p.told id="upload-status" role="status" {}
            noscript { p { "To send a file, enable JavaScript, or use a program as below." } }
            p.quiet {
                "The bot enters as " strong { (name) } ", whatever its bot.toml says. A single source gets the bot.toml of its language. "
                "From a terminal: "
                code { "curl -H 'Authorization: Bearer TOKEN' --data-binary @bot.zip 'ADDRESS OF THIS PAGE?file=bot.zip'" }
            }
            form.together data-sign method="post" action="sign-out" { button type="submit" { "Sign out" } }
            div {
                form.together data-sign data-then="token" method="post" action="token" {
                    button type="submit" { "Replace my token" }
                    span.quiet { "The old token is then void, also on other machines." }
                }
                p.told role="status" {}
            }
        }
    }
}

fn mine(own: &[(Submission, QueuePosition)]) -> Markup {
    html! {
        section id="mine" aria-labelledby="mine-title" data-own {
            h2 id="mine-title" { "Your submissions" }
            p {
                a href="games" { "Games of your bot" } " · "
                a href="faults" { "Its faults, with its standard error" } " · "
                a href="test-games/" { "Test games" }
            }
            @if own.is_empty() { p { "There are none yet." } } @else {
                (scrolled("Your submissions", html! {
                    table {
                        thead { tr { th scope="col" { "number" } th.word scope="col" { "file" } th.word scope="col" { "verdict" } } }
                        tbody { @for (submission, standing) in own { tr {
                            th scope="row" { a href={ "submissions/" (submission.number) } { (submission.number) } }
                            td.word.wide { (submission.record.file.as_deref().unwrap_or("-")) }
                            td.word.wide { (own_verdict(submission, *standing)) }
                        } } }
                    }
                }))
            }
        }
    }
}

/// The submissions that are being checked, and those that wait.
fn queue(undecided: &PendingSubmissions) -> Markup {
    let PendingSubmissions { checking, waiting, at_once } = undecided;
    html! {
        section id="queue" aria-labelledby="queue-title" data-own {
            h2 id="queue-title" { "Waiting" }
            @match (checking.len(), waiting.len()) {
                (0, 0) => p { "None waits." },
                (0, waiting) => p { (counted(waiting, "bot waits", "bots wait")) "." },
                (checking, 0) => p { (counted(checking, "bot is", "bots are")) " being checked, and none waits." },
                (checking, waiting) => p {
                    (counted(checking, "bot is", "bots are")) " being checked, and "
                    (counted(waiting, "bot waits", "bots wait")) "."
                },
            }
            p.quiet { (order(at_once.get())) }
            (in_order(undecided.all().map(|it| it.participant.as_str()), checking.len()))
        }
    }
}

/// Participants in the order of the queue, of which the first ones are being checked.
pub(crate) fn in_order<'a>(names: impl Iterator<Item = &'a str>, checking: usize) -> Markup {
    let mut names = names.enumerate().peekable();
    html! {
        @if names.peek().is_some() {
            ol.bots {
                @for (place, name) in names {
                    li { (name) @if place < checking { " " (being_checked()) } }
                }
            }
        }
    }
}

fn being_checked() -> Markup {
    html! { span.badge { "being checked" } }
}

fn order(at_once: usize) -> String {
    match at_once {
        1 => "Bots are checked one at a time, in the order in which they came; those of participants \
              whose checks have taken long today come later."
            .to_owned(),
        _ => format!(
            "Up to {at_once} bots are checked at once, in the order in which they came; those of \
             participants whose checks have taken long today come later."
        ),
    }
}

fn everyone(latest: &[SubmissionSummary], undecided: &PendingSubmissions) -> Markup {
    html! {
        section id="everyone" aria-labelledby="everyone-title" data-own {
            h2 id="everyone-title" { "All submissions" }
            @if latest.is_empty() { p { "There are none yet." } } @else {
                (scrolled("All submissions", html! {
                    table {
                        thead { tr { th.word scope="col" { "participant" } th.word scope="col" { "verdict" } } }
                        tbody { @for submission in latest { tr {
                            th.word scope="row" { (submission.participant) }
                            td.word.wide {
                                @match undecided.standing(&submission.participant, submission.number) {
                                    QueuePosition::Checking { .. } => (being_checked()),
                                    QueuePosition::Waits { .. } | QueuePosition::Decided => (verdict(&submission.verdict)),
                                }
                            }
                        } } }
                    }
                }))
            }
        }
    }
}

/// The public reason of a refusal.
fn about(stage: &RejectionStage) -> &'static str {
    match stage {
        RejectionStage::Files => "its file cannot be used",
        RejectionStage::Step(StepName::Manifest) => "its bot.toml is wrong",
        RejectionStage::Name => "its name is taken",
        RejectionStage::Step(StepName::Builds) => "its build failed",
        RejectionStage::Step(StepName::Starts) => "its program does not start",
        RejectionStage::Token => "its token was taken back",
        RejectionStage::Machine => "the server failed at it",
        RejectionStage::Step(StepName::Games(_)) => "it failed in a game",
        RejectionStage::Command | RejectionStage::Check | RejectionStage::Step(_) => {
            "it failed at a sample request"
        }
    }
}

/// The public verdict.
fn verdict(verdict: &SummaryVerdict) -> Markup {
    html! {
        @match verdict {
            SummaryVerdict::Waiting => { span.badge { "waiting" } }
            SummaryVerdict::Late => { span.badge.bad { "late" } }
            SummaryVerdict::Entered(bot) => { span.badge.good { "entered" } " as " (bot) }
            SummaryVerdict::Refused(step) => { span.badge.bad { "refused" } ": " (about(step)) " (" code { (step) } ")" }
        }
    }
}

/// The verdict for the participant, with the place in the queue.
fn own_verdict(submission: &Submission, standing: QueuePosition) -> Markup {
    html! {
        @match (&submission.record.verdict, standing) {
            (SubmissionVerdict::Waiting, QueuePosition::Checking { .. }) => (being_checked()),
            (SubmissionVerdict::Waiting, QueuePosition::Waits { place, of }) => {
                span.badge { "waiting" } " at place " (place) " of " (of)
            }
            (decided, _) => { (verdict(&SummaryVerdict::from(decided))) }
        }
    }
}
