//! The pages where bots are handed in. They look after themselves: `hand-in.js` takes changes over, and leaves a section
//! alone in which the reader writes or chooses.

use axum::response::Html;
use jiff::Timestamp;
use maud::{Markup, html};
use text::printable;

use super::answer::lateness_text;
use super::state::SignedInParticipant;
use super::steps;
use check::bot::StepName;
use league::BotVersion;
use league::bot_games::FaultReport;
use league::calendar::Calendar;
use league::entry::queue::{PendingSubmissions, QueuePosition};
use league::submissions::{
    RejectionStage, Submission, SubmissionSummary, SubmissionVerdict, SummaryVerdict,
};
use report::html::layout::{Page, PageLocation, scrolled, site_bar};
use report::league::reading::{self, Announcements};
use text::counted;

/// The files that a browser offers first; the content decides.
const KINDS: &str = ".zip,.gz,.tgz,.py,.js,.c,.cpp,.java,.go,.rb,.pl,.lua,.sh,.rs";

#[derive(Debug, Clone)]
pub(super) enum PageVisitor {
    Participant(SignedInParticipant),
    /// Anybody, while a code lets people register.
    MayRegister,
    Stranger,
}

/// The submissions of a participant, the last one first.
#[derive(Debug, Default)]
pub(super) struct OwnSubmissions {
    pub all: Vec<(Submission, QueuePosition)>,
    pub playing: Option<BotVersion>,
    /// The versions that can be chosen in its place.
    pub choices: Vec<BotVersion>,
    /// The own deadline of the participant, if it is another one.
    pub deadline: Option<Timestamp>,
    pub bots: Vec<String>,
    /// The most bots of a participant at once.
    pub takes_bots: u32,
}

/// The frame of a page of participants or of an organiser: the bar with its links, of which the first is that to the
/// standings, and the scripts of these pages.
#[derive(Debug)]
pub(crate) struct PageFrame<'a> {
    pub(crate) title: &'a str,
    pub(crate) links: Vec<(&'a str, String)>,
    /// The title of the link to this page.
    pub(crate) current: &'a str,
    pub(crate) location: PageLocation,
}

impl PageFrame<'_> {
    pub(crate) fn page(self, body: Markup) -> Html<String> {
        self.page_of(html! { main.wrap id="main" { (body) } })
    }

    pub(crate) fn page_of(self, main: Markup) -> Html<String> {
        let PageFrame { title, links, current, location } = self;
        let first = links.first().map_or("./", |(_, way)| way.as_str());
        let body = html! { (site_bar(first, &links, current, html! {})) (main) };
        let styles: &[&str] = &["hand-in.css"];
        let scripts: &[&str] = &["renewal.js", "hand-in.js", "organiser.js", reading::SCRIPT];
        // It asks for changes itself.
        let location = location.self_updating();
        Html(Page { title, location, styles, scripts, data: &[], body }.render().into_string())
    }
}

/// The frame of a page this many folders below the first one of participants.
pub(super) fn frame<'a>(title: &'a str, current: &'a str, depth: usize) -> PageFrame<'a> {
    let root = "../".repeat(depth);
    let here = if depth == 0 { "./".to_owned() } else { root.clone() };
    let links = vec![
        ("Standings", format!("{root}../")),
        (SUBMIT, here),
        (GAMES, format!("{root}games")),
        (TEST_GAMES, format!("{root}test-games/")),
    ];
    let location = (0..=depth).fold(PageLocation::SERVED, |location, _| location.below());
    PageFrame { title, links, current, location }
}

pub(super) const SUBMIT: &str = "Submit a bot";
pub(super) const GAMES: &str = "Games of your bot";
pub(super) const TEST_GAMES: &str = "Test games";

/// The title of a page, and what stands below it.
pub(super) fn hero(title: &str, below: Markup) -> Markup {
    html! { div.hero { div { h1 { (title) } @if !below.0.is_empty() { p { (below) } } } } }
}

pub(super) fn part(id: &str, title: &str, body: Markup) -> Markup {
    html! {
        section id=(id) aria-labelledby={ (id) "-title" } data-own {
            h2 id={ (id) "-title" } { (title) }
            (body)
        }
    }
}

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
        (overview_head(visitor))
        (announced.lines())
        @if let Some(deadline) = own.deadline { p.notice { "Your deadline: " (calendar.time_text(deadline)) } }
        div.two {
            div.stack {
                @match visitor {
                    PageVisitor::Stranger => (sign_in()),
                    PageVisitor::MayRegister => { (sign_in()) (register()) },
                    PageVisitor::Participant(SignedInParticipant { by, bot }) => { (form(&by.participant, bot)) (mine(own, calendar)) }
                }
                (everyone(latest, undecided, calendar))
            }
            aside.stack {
                @if let Some(times) = announced.times() { (part("calendar", "Calendar", times)) }
                @if let PageVisitor::Participant(SignedInParticipant { by, bot }) = visitor { (bots(own, &by.participant, bot)) (playing(own)) }
                (queue(undecided))
                @if let PageVisitor::Participant(_) = visitor { (own_token()) }
            }
        }
    };
    let body = html! { main.wrap id="main" data-waiting[is_waiting] { (body) } };
    frame("submit a bot", SUBMIT, 0).page_of(body)
}

fn overview_head(visitor: &PageVisitor) -> Markup {
    html! {
        div.hero {
            div { h1 { "Submit a bot" } }
            @if let PageVisitor::Participant(own) = visitor { div.state {
                span { "as " b { (own.by.in_words()) } }
                form.one method="post" action="sign-out" { button.btn.low type="submit" { "Sign out" } }
            } }
        }
    }
}

pub(super) fn submission(
    submission: &Submission,
    standing: QueuePosition,
    report: Option<&str>,
    is_kept: bool,
    calendar: &Calendar,
) -> Html<String> {
    let title = format!("Submission {} of {}", submission.number, submission.participant);
    let is_checked = matches!(standing, QueuePosition::Checking { .. });
    let body = html! {
        main.wrap id="main" data-waiting[submission.is_waiting()] data-checking[is_checked] {
            (hero(&title, html! { a href="../" { "← All submissions" } }))
            div.two {
                div.stack { (verdict_part(submission, standing)) (report_part(submission, standing, report)) }
                aside.stack { (file_part(submission, is_kept, calendar)) }
            }
        }
    };
    frame(&title, SUBMIT, 1).page_of(body)
}

fn verdict_part(submission: &Submission, standing: QueuePosition) -> Markup {
    part(
        "verdict",
        "Verdict",
        html! {
            p role="status" { (own_verdict(submission, standing)) }
            @if submission.is_waiting() { p.quiet { "A new submission replaces this one." } }
            @match &submission.record.verdict {
                SubmissionVerdict::Late(seconds) => p { (lateness_text(*seconds)) "." },
                SubmissionVerdict::Replaced(by) => p { "Replaced by " a href={ "./" (by) } { "submission " (by) } "." },
                SubmissionVerdict::Refused { why, .. } => {
                    p { (why) }
                    p { "Fix the problem and " a href="../" { "submit again" } "." }
                },
                SubmissionVerdict::Entered(_) => p { "It plays from the next round on. " a href="../test-games/" { "Play a test game" } "." },
                SubmissionVerdict::Waiting | SubmissionVerdict::Withdrawn => {},
            }
        },
    )
}

/// The report of a check, as far as it is.
fn report_part(submission: &Submission, standing: QueuePosition, report: Option<&str>) -> Markup {
    let is_checked = matches!(standing, QueuePosition::Checking { .. });
    html! {
        @if report.is_some() || submission.is_waiting() {
            (part("report", "Check", html! {
                p.quiet { "Visible only to you." }
                @match report {
                    Some(report) => (steps::list(report)),
                    None => p { "The check has not begun." },
                }
                @if is_checked { p { span.badge.good.now-live { "running the next step" } } }
            }))
        }
    }
}

fn file_part(submission: &Submission, is_kept: bool, calendar: &Calendar) -> Markup {
    let number = submission.number;
    part(
        "file",
        "File",
        html! {
            p {
                @match (&submission.record.file, is_kept) {
                    (Some(file), true) => a href={ (number) "/file" } { code { (file) } },
                    (None, true) => a href={ (number) "/file" } { "the upload" },
                    (Some(file), false) => { code { (file) } " (no longer stored)" },
                    (None, false) => "no longer stored",
                }
            }
            p.quiet {
                "Received " (arrival(calendar, submission.record.received))
                @if let Some(member) = &submission.record.member { " from " (member) }
            }
            @if submission.is_waiting() || submission.is_late() {
                form data-sign data-then="number" data-confirm={ "Withdraw submission " (number) "?" } method="post" action={ (number) "/withdraw" } {
                    button.btn type="submit" { "Withdraw" }
                }
            }
            @if is_kept && !submission.is_waiting() {
                form data-sign data-then="number" method="post" action={ (number) "/again" } {
                    button.btn type="submit" { "Resubmit this file" }
                }
            }
            p.told role="status" {}
        },
    )
}

/// The page of the faults of a participant's bot.
pub(super) fn faults(told: &[FaultReport]) -> Html<String> {
    let body = html! {
        (hero("Faults of your bot", html! { "Latest forfeited games in finished rounds. Visible only to you." }))
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
                @if fault.is_suspect { p { "Suspect: the machine was busy, which may have caused this timeout." } }
                @if !fault.detail.is_empty() { p { (printable(&fault.detail)) } }
                p { "Printed: " code { (printable(&fault.printed)) } }
                div.scroll role="group" aria-label="Standard error" tabindex="0" {
                    pre { (readable_stderr(&fault.stderr)) }
                }
            }
        }
    };
    frame("faults of your bot", GAMES, 0).page(body)
}

/// Standard error line by line, without letters that a browser would not show.
fn readable_stderr(stderr: &str) -> String {
    if stderr.is_empty() {
        return "standard error is empty".to_owned();
    }
    stderr.lines().map(|line| printable(line) + "\n").collect()
}

fn sign_in() -> Markup {
    part(
        "sign-in",
        "Sign in",
        html! {
            form.hand-in data-sign method="post" action="sign-in" {
                label for="token" { "Your token" }
                input id="token" name="token" type="password" required autocomplete="current-password" spellcheck="false";
                button type="submit" { "Sign in" }
            }
            p.told role="status" {}
            p.quiet { "The organiser gives you a token. It is stored in a cookie for this page." }
        },
    )
}

fn register() -> Markup {
    part(
        "register",
        "Register",
        html! {
            form.hand-in method="post" action="register" {
                label for="code" { "Registration code, and a public name for you and your bot" }
                input id="code" name="code" required autocomplete="off" spellcheck="false" aria-label="Code" placeholder="code";
                input name="name" required autocomplete="off" spellcheck="false" aria-label="Name" placeholder="name";
                button type="submit" { "Register" }
            }
            p.quiet { "The name is public; a nickname is fine." }
        },
    )
}

/// A token that is shown once, with a button that copies it.
pub(crate) fn token(token: &str) -> Markup {
    html! {
        p.together {
            code.hash id="new-token" { (token) }
            button.btn.low type="button" data-copy="#new-token" hidden { "Copy" }
        }
    }
}

pub(super) fn new_token(name: &str, new: &str) -> Html<String> {
    let body = html! {
        (hero("Your token", html! { "For " (name) }))
        (part("token", "Copy it now: it is shown only once", html! {
            (token(new))
            p { "You need it to sign in on other devices. You are signed in here." }
            p { a.btn href="./" { "Continue" } }
        }))
    };
    frame("your token", SUBMIT, 0).page(body)
}

/// The choice of the bot that the pages are about; nothing for a participant who has and may have one alone.
fn bots(own: &OwnSubmissions, participant: &str, current: &str) -> Markup {
    let OwnSubmissions { bots, takes_bots, .. } = own;
    html! {
        @if bots.len() > 1 || *takes_bots > 1 {
            (part("bots", "Your bots", html! {
                @if bots.len() > 1 {
                    form.fields data-sign method="post" action="bot" {
                        label for="which-bot" { "These pages are about " strong { (current) } }
                        select id="which-bot" name="bot" { @for bot in bots {
                            option value=(bot) selected[bot == current] { (bot) }
                        } }
                        button.btn type="submit" { "Switch" }
                    }
                    p.told role="status" {}
                }
                @if *takes_bots > 1 {
                    form.fields data-sign method="post" action="bot" {
                        label for="new-bot" { "Name of an additional bot; it must begin with " code { (participant) "-" } }
                        input id="new-bot" name="bot" required autocomplete="off" spellcheck="false" placeholder={ (participant) "-2" };
                        button.btn type="submit" { "Continue" }
                    }
                    p.told role="status" {}
                    p.quiet { "Up to " (takes_bots) " of your bots may be active at once. Daily limits count all of them." }
                }
            }))
        }
    }
}

fn form(participant: &str, name: &str) -> Markup {
    let further = if name == participant { String::new() } else { format!("&bot={name}") };
    part(
        "hand-in",
        &format!("Submit a bot as {name}"),
        html! {
            form.drop id="upload" method="post" action="./" {
                label for="file" {
                    b { "Drop a file here, or choose one" }
                    span.quiet { "A .zip or .tar.gz with a bot.toml, or a single source file" }
                }
                input id="file" type="file" required accept=(KINDS);
                button.btn.main type="submit" { "Submit" }
            }
            p.told id="upload-status" role="status" {}
            noscript { p { "Uploads need JavaScript; without it, use the command below." } }
            details {
                summary { "From the command line" }
                p { code { "curl -H 'Authorization: Bearer TOKEN' --data-binary @bot.zip 'URL OF THIS PAGE?file=bot.zip" (further) "'" } }
            }
            p.quiet {
                "Your bot enters as " strong { (name) } ", regardless of its bot.toml. "
                "A source file gets a default bot.toml."
            }
        },
    )
}

fn own_token() -> Markup {
    part(
        "own-token",
        "Your token",
        html! {
            form method="post" action="token" { button.btn.low type="submit" { "Replace token" } }
            p.quiet { "The old token stops working everywhere." }
        },
    )
}

fn mine(own: &OwnSubmissions, calendar: &Calendar) -> Markup {
    part(
        "mine",
        "Your submissions",
        html! {
            @if own.all.is_empty() { p { "You have not submitted a bot yet." } } @else {
                (scrolled("Table of your submissions", html! {
                    table {
                        thead { tr {
                            th scope="col" { "number" } th.word scope="col" { "verdict" }
                            th.word scope="col" { "received" } th.word scope="col" { "file" }
                        } }
                        tbody { @for (submission, standing) in &own.all { tr {
                            th scope="row" { a href={ "submissions/" (submission.number) } { (submission.number) } }
                            td.word.wide { (own_verdict(submission, *standing)) }
                            td.word { (short_arrival(calendar, submission.record.received)) }
                            td.word { (submission.record.file.as_deref().unwrap_or("–")) }
                        } } }
                    }
                }))
            }
        },
    )
}

/// The version that plays, and the form to choose another one.
fn playing(OwnSubmissions { playing, choices, .. }: &OwnSubmissions) -> Markup {
    part(
        "playing",
        "Your bot",
        html! {
            @match playing {
                None => p { "You have no active bot yet." },
                Some(playing) => {
                    p { strong { (playing) } " plays." }
                    @if !choices.is_empty() {
                        form.fields data-sign method="post" action="choose" {
                            label for="choice" { "Play another version from the next round on, until a new submission enters" }
                            select id="choice" name="bot" { @for bot in choices { option value=(bot) { (bot) } } }
                            button.btn type="submit" { "Choose" }
                        }
                        p.told role="status" {}
                    }
                }
            }
            ul.feed {
                li { a href="games" { "Games, answers and standard error" } }
                li { a href="faults" { "Faults" } }
                li { a href="test-games/" { "Test games" } }
            }
        },
    )
}

fn arrival(calendar: &Calendar, seconds: u64) -> String {
    let at = i64::try_from(seconds).ok().and_then(|it| Timestamp::from_second(it).ok());
    at.map_or_else(|| "–".to_owned(), |at| calendar.time_text(at))
}

/// The same without the name of the zone, which is that of the calendar.
fn short_arrival(calendar: &Calendar, seconds: u64) -> String {
    arrival(calendar, seconds).chars().take("2026-12-20 23:59:59".len()).collect()
}

/// The submissions that are being checked, and those that wait.
fn queue(undecided: &PendingSubmissions) -> Markup {
    let PendingSubmissions { checking, waiting, at_once } = undecided;
    part(
        "queue",
        "Queue",
        html! {
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
        },
    )
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
        1 => "Submissions are checked one at a time, first come, first served. Participants who \
              have used a lot of checking time today wait longer."
            .to_owned(),
        _ => format!(
            "Up to {at_once} submissions are checked at once, first come, first served. \
             Participants who have used a lot of checking time today wait longer."
        ),
    }
}

fn everyone(
    latest: &[SubmissionSummary],
    undecided: &PendingSubmissions,
    calendar: &Calendar,
) -> Markup {
    part(
        "everyone",
        "All submissions",
        html! {
                @if latest.is_empty() { p { "No submissions yet." } } @else {
                    (scrolled("Table of all submissions", html! {
                        table {
                            thead { tr {
                                th.word scope="col" { "participant" } th.word scope="col" { "verdict" }
                                th.word scope="col" { "received" }
                            } }
                            tbody { @for submission in latest { tr {
                                th.word scope="row" { (submission.participant) }
                                td.word.wide {
                                    @match undecided.standing(&submission.participant, submission.number) {
                                        QueuePosition::Checking { .. } => (being_checked()),
                                        QueuePosition::Waits { .. } | QueuePosition::Decided => (verdict(&submission.verdict)),
                                    }
                                }
                                td.word { (short_arrival(calendar, submission.received)) }
                            } } }
                        }
                    }))
                }
        },
    )
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
