//! The log of a league for everybody, if the organiser offers it, and the page on which a browser checks a log.
//!
//! The archive holds what `arbiter league publish` writes, and is made while it is sent. During a freeze it ends where
//! the pages do, as that does. A log of an earlier version of the program that holds standard error is not offered.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::routing::get;
use maud::{Markup, html};
use text::counted;
use text::failure::Failure;
use text::shell::without_folders;
use thiserror::Error;

use crate::delta::{self, CacheTime};
use crate::league::ServedLeague;
use crate::page;
use crate::streamed::StreamSlots;
use league::folder::LeagueFolder;
use league::publish::PublicLeague;
use report::html::layout::{Page, PageLocation, section};
use report::league::LeagueReport;

/// The archives that are sent at once.
const AT_ONCE: usize = 16;
/// The way from the pages of a league to the archive.
const DOWNLOAD: &str = "api/v1/log.tar";
/// The kind of an archive.
pub(super) const ARCHIVE: &str = "application/x-tar";

#[derive(Debug)]
pub(super) struct PublishedLog {
    folder: LeagueFolder,
    archives: StreamSlots,
    /// The rounds whose logs are known to hold no standard error.
    without_texts: Mutex<BTreeSet<u64>>,
}

/// The reason why there is no archive; one line.
#[derive(Debug, Error)]
pub(super) enum NoArchive {
    #[error("the organiser does not offer the log: ask for it")]
    NotOffered,
    #[error(
        "the log of round {0} holds standard error, written by an earlier version: the organiser can publish it with \
         `arbiter league publish`"
    )]
    Texts(u64),
    #[error("many people download the log now: try again later")]
    Busy,
    #[error("{}", without_folders(&.0.to_string()))]
    Unreadable(#[from] Failure),
}

impl PublishedLog {
    pub(super) fn of(folder: LeagueFolder) -> PublishedLog {
        let (archives, without_texts) = (StreamSlots::new(AT_ONCE), Mutex::default());
        PublishedLog { folder, archives, without_texts }
    }

    /// What anybody may have. This reads files.
    fn find(&self) -> Result<PublicLeague, NoArchive> {
        if !self.folder.pages()?.log_download {
            return Err(NoArchive::NotOffered);
        }
        let public = PublicLeague::find(&self.folder)?;
        let mut known = self.without_texts.lock().unwrap_or_else(PoisonError::into_inner);
        match public.first_with_texts(&mut known).map_err(Failure::from)? {
            Some(round) => Err(NoArchive::Texts(round)),
            None => Ok(public),
        }
    }

    /// The archive, which is written while it is sent.
    pub(super) fn archive(&self) -> Result<Body, NoArchive> {
        let public = self.find()?;
        self.archives.body(move |out| public.pack(out)).ok_or(NoArchive::Busy)
    }

    /// A name for the texts that depend on what is offered.
    fn state(&self) -> &'static str {
        match self.folder.pages() {
            Ok(pages) if pages.log_download => "offered",
            Ok(_) => "not offered",
            Err(_) => "unreadable",
        }
    }
}

/// The page.
pub(super) fn routes(league: Arc<ServedLeague>) -> Router {
    Router::new().route("/log.html", get(page)).with_state(league)
}

async fn page(State(league): State<Arc<ServedLeague>>, asked: HeaderMap) -> Response {
    page::read(move || {
        let published = league.published();
        let name = format!("log.html {}", published.state());
        let made = league.cached_text(&name, |reading, _| {
            Ok(Some(log_page(reading, &published.find()).into_string()))
        });
        let kind = "text/html; charset=utf-8";
        match made {
            Ok(Some(text)) => delta::text(&asked, kind, text, CacheTime::Asked),
            Ok(None) => page::missing(),
            Err(problem) => {
                page::message(StatusCode::INTERNAL_SERVER_ERROR, "Unreadable league", &problem)
            }
        }
    })
    .await
}

fn log_page(reading: &LeagueReport, found: &Result<PublicLeague, NoArchive>) -> Markup {
    let body = html! {
        header.top.slim { div.wrap {
            p.crumbs { a href="./" { "League" } }
            h1 { "Log and proof" }
        } }
        main.wrap id="main" {
            (reading.announced.lines())
            (section("download", "Download the log", download(reading, found)))
            (section("check", "Check a log here", check()))
        }
    };
    let title = format!("log of {}", reading.title);
    let location = PageLocation::SERVED.self_updating();
    let scripts = &["check-log.js"];
    Page { title: &title, location, styles: &[], scripts, data: &[], body }.render()
}

fn download(reading: &LeagueReport, found: &Result<PublicLeague, NoArchive>) -> Markup {
    html! {
        @match found {
            Err(why) => {
                p { "There is no download: " (why) "." }
                @if let NoArchive::NotOffered = why {
                    p.quiet { "For the organiser: " code { "log-download = true" } " in the table " code { "[pages]" } " of league.toml offers it." }
                }
            }
            Ok(public) => {
                p { a.btn.main href=(DOWNLOAD) download { "Download the log" } }
                p {
                    (counted(public.games, "game", "games")) " in " (counted(public.rounds.len(), "round", "rounds"))
                    ", with all cards, moves, corrections and results. Bots, tokens, submissions and standard error are not in it."
                }
                @if reading.announced.frozen.is_some() {
                    p { "The standings are frozen, and so is the log: later rounds follow when they are unfrozen." }
                }
                @if let Some(open) = public.open {
                    p { "Round " (open) " is left out until it is over: its seed is still secret." }
                }
                dl.facts { dt { "head" } dd { code.hash { (public.head) } } }
                p { "These commands recompute all of it:" }
                pre.commands {
                    "tar xf league.tar\n"
                    "arbiter verify --head " (public.head) " league\n"
                }
            }
        }
    }
}

fn check() -> Markup {
    html! {
        p { "Choose the archive or one log. Your browser reads it; nothing is sent." }
        noscript { p { "This check needs JavaScript. Without it, use " code { "arbiter verify" } "." } }
        form.fields id="check-log" {
            label for="log-file" { "league.tar, or a log such as games.jsonl" }
            input id="log-file" type="file" accept=".tar,.jsonl,.gz" required;
            label for="log-head" { "A head that you noted earlier, if you have one" }
            input id="log-head" autocomplete="off" spellcheck="false" maxlength="64";
            button.btn type="submit" { "Check" }
        }
        p id="check-state" role="status" {}
        ul id="checks" {}
        h3 { "What this page checks" }
        ul {
            li { "Every line is unchanged and follows the line before, by SHA-256." }
            li { "Each round is the one that the log of the league announced, from its first to its last line." }
            li { "The seed of each round fits the commitment from before its first card." }
        }
        h3 { "What only " code { "arbiter verify" } " checks" }
        ul {
            li { "Every card follows from the seed, and every move, fault and score from the rules." }
            li { "The tables of stages follow from results, and each line has the one form in which logs are written." }
        }
    }
}
