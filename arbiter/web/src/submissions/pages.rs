//! The pages where bots are handed in. They look after themselves: `hand-in.js` takes changes over and leaves
//! forms alone, so nothing goes away under the reader's hand.

use axum::response::Html;
use jiff::Timestamp;
use maud::{Markup, html};
use text::printable;

use super::answer::lateness_text;
use super::state::SignedIn;
use check::bot::StepName;
use league::BotVersion;
use league::bot_games::FaultReport;
use league::calendar::Calendar;
use league::entry::queue::{PendingSubmissions, QueuePosition};
use league::submissions::{
    RejectionStage, Submission, SubmissionSummary, SubmissionVerdict, SummaryVerdict,
};
use report::html::layout::{Page, PageLocation, scrolled};
use report::league::announcements::{self, Announcements};
use text::counted;

/// The files that a browser offers first; the content decides.
const KINDS: &str = ".zip,.gz,.tgz,.py,.js,.c,.cpp,.java,.go,.rb,.pl,.lua,.sh,.rs";

#[derive(Debug, Clone)]
pub(super) enum PageVisitor {
    /// A participant with a token.
    Participant(SignedIn),
    /// Anybody, while a code lets people register.
    MayRegister,
    /// Anybody else.
    Stranger,
}

/// The submissions of a participant, the last one first.
#[derive(Debug, Default)]
pub(super) struct OwnSubmissions {
    pub all: Vec<(Submission, QueuePosition)>,
    /// The version that plays, if one does.
    pub playing: Option<BotVersion>,
    /// The versions that can be chosen in its place.
    pub choices: Vec<BotVersion>,
    /// The own deadline of the participant, if it is another one.
    pub deadline: Option<Timestamp>,
    /// The names of the bots of the participant.
    pub bots: Vec<String>,
    /// The most bots of a participant at once.
    pub takes_bots: u32,
}

/// The page for all, or for a participant with a token.
pub(super) fn overview(
    visitor: &PageVisitor,
    announced: &Announcements,
    own: &OwnSubmissions,
    latest: &[SubmissionSummary],
    undecided: &PendingSubmissions,
) -> Html<String> {
    let calendar = &announced.calendar;
    let is_waiting = own.all.iter().any(|(submission, _)| submission.is_waiting());
    let body = html! {
        header.top.slim data-own { div.wrap {
            p.crumbs { a href="../" { "League" } }
            h1 { "Submit a bot" }
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
                PageVisitor::Participant(SignedIn { by, bot }) => {
                    @if let Some(deadline) = own.deadline {
                        p.notice { "Your deadline: " (calendar.shown(deadline)) }
                    }
                    (bots(own, &by.participant, bot))
                    (form(&by.participant, bot))
                    (mine(own, calendar))
                }
            }
            (queue(undecided))
            (everyone(latest, undecided, calendar))
        }
    };
    page("submit a bot", PageLocation::SERVED.below(), body)
}

/// The page of a submission, for the participant.
pub(super) fn submission(
    submission: &Submission,
    standing: QueuePosition,
    report: Option<&str>,
    is_kept: bool,
    calendar: &Calendar,
) -> Html<String> {
    let title = format!("Submission {} of {}", submission.number, submission.participant);
    let body = html! {
        header.top.slim data-own { div.wrap {
            p.crumbs { a href="../../" { "League" } " / " a href="../" { "Submit a bot" } }
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
                        (Some(file), false) => { code { (file) } " (no longer stored)" },
                        (None, false) => "no longer stored",
                    }
                }
                p.quiet { "Received: " (arrival(calendar, submission.record.received))
                    @if let Some(member) = &submission.record.member { " from " (member) } }
                @if submission.is_waiting() || submission.is_late() {
                    div {
                        form data-sign data-then="number" data-confirm={ "Withdraw submission " (submission.number) "?" }
                            method="post" action={ (submission.number) "/withdraw" } {
                            button type="submit" { "Withdraw" }
                        }
                        p.told role="status" {}
                        @if submission.is_waiting() {
                            p.quiet { "A new submission takes the place of this one." }
                        }
                    }
                }
                @if is_kept && !submission.is_waiting() {
                    div {
                        form data-sign data-then="number" method="post" action={ (submission.number) "/again" } {
                            button type="submit" { "Resubmit this file" }
                        }
                        p.told role="status" {}
                    }
                }
                @if let SubmissionVerdict::Late(seconds) = submission.record.verdict { p { (lateness_text(seconds)) "." } }
                @if let SubmissionVerdict::Replaced(by) = submission.record.verdict {
                    p { "Replaced by " a href={ "./" (by) } { "submission " (by) } "." }
                }
                @if let SubmissionVerdict::Refused { why, .. } = &submission.record.verdict {
                    p { (why) }
                    p { "Fix the problem and " a href="../" { "submit again" } "." }
                }
            }
            @if let Some(report) = report {
                section id="report" aria-labelledby="report-title" data-own {
                    h2 id="report-title" { "Report" }
                    p.quiet { "Visible only to you." }
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
            p.crumbs { a href="../" { "League" } " / " a href="./" { "Submit a bot" } }
            h1 { "Faults of your bot" }
            p.quiet { "Latest forfeited games in finished rounds. Visible only to you." }
        } }
        main.wrap id="main" {
            @if told.is_empty() { p { "No faults in finished rounds." } }
            @for fault in told {
                @let name = format!("fault-{}-{}", fault.round, fault.game);
                section id=(name) aria-labelledby={ (name) "-title" } data-own {
                    h2 id={ (name) "-title" } {
                        (fault.bot) ": " (fault.verdict) " in "
                        a href={ "../rounds/" (fault.round) "/game.html#game=" (fault.game) "&step=fault" } {
                            "game " (fault.game) " of round " (fault.round)
                        }
                    }
                    @if fault.is_suspect { p { "Suspect: the machine was busy, and may have caused this timeout." } }
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
        return "standard error is empty".to_owned();
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
            p.quiet { "The organiser gives you a token. It is stored in a cookie for this page." }
        }
    }
}

fn register() -> Markup {
    html! {
        section id="register" aria-labelledby="register-title" data-own {
            h2 id="register-title" { "Register" }
            form.hand-in data-sign data-then="token" method="post" action="register" {
                label for="code" { "Registration code, and a public name for you and your bot" }
                input id="code" name="code" required autocomplete="off" spellcheck="false" aria-label="Code" placeholder="code";
                input name="name" required autocomplete="off" spellcheck="false" aria-label="Name" placeholder="name";
                button type="submit" { "Register" }
            }
            p.told role="status" {}
            p.quiet { "The name is public; a nickname is fine." }
        }
    }
}

/// The page with a new token.
pub(super) fn new_token(name: &str, token: &str) -> Html<String> {
    let body = html! {
        header.top.slim data-own { div.wrap {
            p.crumbs { a href="../" { "League" } " / " a href="./" { "Submit a bot" } }
            h1 { "Your token" }
        } }
        main.wrap id="main" {
            section id="token" aria-labelledby="token-title" data-own {
                h2 id="token-title" { "Token of " (name) }
                p { code.hash { (token) } }
                p { "Save it now: it is shown only once. You need it to sign in on other devices." }
                p { a href="./" { "Continue" } }
            }
        }
    };
    page("your token", PageLocation::SERVED.below(), body)
}

/// The choice of the bot that the pages are about; nothing for a participant who has and may have one alone.
fn bots(own: &OwnSubmissions, participant: &str, current: &str) -> Markup {
    let OwnSubmissions { bots, takes_bots, .. } = own;
    html! {
        @if bots.len() > 1 || *takes_bots > 1 {
            section id="bots" aria-labelledby="bots-title" data-own {
                h2 id="bots-title" { "Your bots" }
                @if bots.len() > 1 {
                    form.hand-in data-sign method="post" action="bot" {
                        label for="which-bot" { "These pages are about " strong { (current) } }
                        select id="which-bot" name="bot" { @for bot in bots {
                            option value=(bot) selected[bot == current] { (bot) }
                        } }
                        button type="submit" { "Switch" }
                    }
                    p.told role="status" {}
                }
                @if *takes_bots > 1 {
                    form.hand-in data-sign method="post" action="bot" {
                        label for="new-bot" { "Name of a further bot, which begins with " code { (participant) "-" } }
                        input id="new-bot" name="bot" required autocomplete="off" spellcheck="false" placeholder={ (participant) "-2" };
                        button type="submit" { "Continue" }
                    }
                    p.told role="status" {}
                    p.quiet { "Up to " (takes_bots) " bots of yours may play at once. Limits for a day count all of them." }
                }
            }
        }
    }
}

fn form(participant: &str, name: &str) -> Markup {
    let further = if name == participant { String::new() } else { format!("&bot={name}") };
    html! {
        section id="hand-in" aria-labelledby="hand-in-title" data-own {
            h2 id="hand-in-title" { "Submit a bot as " (name) }
            form.hand-in id="upload" method="post" action="./" {
                label for="file" { ".zip or .tar.gz with a bot.toml, or a single source file" }
                input id="file" type="file" required accept=(KINDS);
                button type="submit" { "Submit" }
            }
            p.told id="upload-status" role="status" {}
            noscript { p { "Uploads need JavaScript; without it, use the command below." } }
            p.quiet {
                "Your bot enters as " strong { (name) } ", regardless of its bot.toml. "
                "A source file gets a default bot.toml. "
                "Command line: "
                code { "curl -H 'Authorization: Bearer TOKEN' --data-binary @bot.zip 'URL OF THIS PAGE?file=bot.zip" (further) "'" }
            }
            form.together data-sign method="post" action="sign-out" { button type="submit" { "Sign out" } }
            div {
                form.together data-sign data-then="token" method="post" action="token" {
                    button type="submit" { "Replace token" }
                    span.quiet { "The old token stops working everywhere." }
                }
                p.told role="status" {}
            }
        }
    }
}

fn mine(own: &OwnSubmissions, calendar: &Calendar) -> Markup {
    html! {
        section id="mine" aria-labelledby="mine-title" data-own {
            h2 id="mine-title" { "Your submissions" }
            p {
                a href="games" { "Games of your bot" } " · "
                a href="faults" { "Faults with standard error" } " · "
                a href="test-games/" { "Test games" }
            }
            @if own.all.is_empty() { p { "You have not submitted a bot yet." } } @else {
                (scrolled("Your submissions", html! {
                    table {
                        thead { tr {
                            th scope="col" { "number" } th.word scope="col" { "received" }
                            th.word scope="col" { "file" } th.word scope="col" { "verdict" }
                        } }
                        tbody { @for (submission, standing) in &own.all { tr {
                            th scope="row" { a href={ "submissions/" (submission.number) } { (submission.number) } }
                            td.word { (arrival(calendar, submission.record.received)) }
                            td.word.wide { (submission.record.file.as_deref().unwrap_or("-")) }
                            td.word.wide { (own_verdict(submission, *standing)) }
                        } } }
                    }
                }))
            }
            (choices(own))
        }
    }
}

/// The form to choose another version than the one that plays.
fn choices(OwnSubmissions { playing, choices, .. }: &OwnSubmissions) -> Markup {
    html! {
        @if let Some(playing) = playing {
            p { strong { (playing) } " plays." }
            @if !choices.is_empty() {
                form.hand-in data-sign method="post" action="choose" {
                    label for="choice" { "Play another version from the next round on, until a new submission enters" }
                    select id="choice" name="bot" { @for bot in choices { option value=(bot) { (bot) } } }
                    button type="submit" { "Choose" }
                }
                p.told role="status" {}
            }
        }
    }
}

/// The time at which a submission was there.
fn arrival(calendar: &Calendar, seconds: u64) -> String {
    let at = i64::try_from(seconds).ok().and_then(|it| Timestamp::from_second(it).ok());
    at.map_or_else(|| "-".to_owned(), |at| calendar.shown(at))
}

/// The submissions that are being checked, and those that wait.
fn queue(undecided: &PendingSubmissions) -> Markup {
    let PendingSubmissions { checking, waiting, at_once } = undecided;
    html! {
        section id="queue" aria-labelledby="queue-title" data-own {
            h2 id="queue-title" { "Queue" }
            @match (checking.len(), waiting.len()) {
                (0, 0) => p { "The queue is empty." },
                (0, waiting) => p { (counted(waiting, "submission", "submissions")) " queued." },
                (checking, 0) => p { (counted(checking, "submission is", "submissions are")) " being checked, none queued." },
                (checking, waiting) => p {
                    (counted(checking, "submission is", "submissions are")) " being checked, " (waiting) " queued."
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
    html! { span.badge { "checking" } }
}

fn order(at_once: usize) -> String {
    match at_once {
        1 => "Submissions are checked one at a time, first come, first served, but those of \
              participants whose checks have taken long today come later."
            .to_owned(),
        _ => format!(
            "Up to {at_once} submissions are checked at once, first come, first served, but those \
             of participants whose checks have taken long today come later."
        ),
    }
}

fn everyone(
    latest: &[SubmissionSummary],
    undecided: &PendingSubmissions,
    calendar: &Calendar,
) -> Markup {
    html! {
        section id="everyone" aria-labelledby="everyone-title" data-own {
            h2 id="everyone-title" { "All submissions" }
            @if latest.is_empty() { p { "No submissions yet." } } @else {
                (scrolled("All submissions", html! {
                    table {
                        thead { tr {
                            th.word scope="col" { "participant" } th.word scope="col" { "received" }
                            th.word scope="col" { "verdict" }
                        } }
                        tbody { @for submission in latest { tr {
                            th.word scope="row" { (submission.participant) }
                            td.word { (arrival(calendar, submission.received)) }
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
        RejectionStage::Files => "unusable file",
        RejectionStage::Step(StepName::Manifest) => "invalid bot.toml",
        RejectionStage::Name => "name taken",
        RejectionStage::Step(StepName::Builds) => "build failed",
        RejectionStage::Step(StepName::Starts) => "program does not start",
        RejectionStage::Token => "token revoked",
        RejectionStage::Machine => "server error",
        RejectionStage::Step(StepName::Games(_)) => "failed in a game",
        RejectionStage::Command | RejectionStage::Check | RejectionStage::Step(_) => {
            "failed a sample request"
        }
    }
}

/// The public verdict.
fn verdict(verdict: &SummaryVerdict) -> Markup {
    html! {
        @match verdict {
            SummaryVerdict::Waiting => { span.badge { "queued" } }
            SummaryVerdict::Late => { span.badge.bad { "late" } }
            SummaryVerdict::Entered(bot) => { span.badge.good { "entered" } " as " (bot) }
            SummaryVerdict::Replaced => { span.badge { "replaced" } }
            SummaryVerdict::Withdrawn => { span.badge { "withdrawn" } }
            SummaryVerdict::Refused(step) => { span.badge.bad { "rejected" } ": " (about(step)) " (" code { (step) } ")" }
        }
    }
}

/// The verdict for the participant, with the place in the queue.
fn own_verdict(submission: &Submission, standing: QueuePosition) -> Markup {
    html! {
        @match (&submission.record.verdict, standing) {
            (SubmissionVerdict::Waiting, QueuePosition::Checking { .. }) => (being_checked()),
            (SubmissionVerdict::Waiting, QueuePosition::Waits { place, of }) => {
                span.badge { "queued" } ", position " (place) " of " (of)
            }
            (decided, _) => { (verdict(&SummaryVerdict::from(decided))) }
        }
    }
}
