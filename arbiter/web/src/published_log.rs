//! The log of a league for everybody, if the organiser offers it.
//!
//! The archive holds what `arbiter league publish` writes, and is made while it is sent. During a freeze it ends where
//! the pages do, as that does. A log of an earlier version of the program that holds standard error is not offered.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use axum::body::Body;
use text::failure::Failure;
use text::shell::without_folders;
use thiserror::Error;

use crate::body_stream::BodySlots;
use league::folder::LeagueFolder;
use league::publish::PublicLeague;

/// The archives that are sent at once.
const AT_ONCE: usize = 16;
pub(super) const ARCHIVE: &str = "application/x-tar";

#[derive(Debug)]
pub(super) struct PublishedLog {
    folder: LeagueFolder,
    archives: BodySlots,
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
    #[error("too many downloads right now: try again later")]
    Busy,
    #[error("{}", without_folders(&.0.to_string()))]
    Unreadable(#[from] Failure),
}

impl PublishedLog {
    pub(super) fn new(folder: LeagueFolder) -> PublishedLog {
        let (archives, without_texts) = (BodySlots::new(AT_ONCE), Mutex::default());
        PublishedLog { folder, archives, without_texts }
    }

    /// What anybody may have. This reads files.
    pub(super) fn find(&self) -> Result<PublicLeague, NoArchive> {
        if !self.folder.pages()?.log_download {
            return Err(NoArchive::NotOffered);
        }
        // Many who ask at once read one after the other.
        let mut known = self.without_texts.lock().unwrap_or_else(PoisonError::into_inner);
        let public = PublicLeague::find(&self.folder)?;
        match public.first_with_texts(&mut known).map_err(Failure::from)? {
            Some(round) => Err(NoArchive::Texts(round)),
            None => Ok(public),
        }
    }

    /// The archive, which is written while it is sent.
    pub(super) fn archive(&self) -> Result<Body, NoArchive> {
        let slot = self.archives.take().ok_or(NoArchive::Busy)?;
        let public = self.find()?;
        Ok(slot.body(move |out| public.pack(out)))
    }

    /// A name for the texts that depend on what is offered.
    pub(super) fn state(&self) -> &'static str {
        match self.folder.pages() {
            Ok(pages) if pages.log_download => "offered",
            Ok(_) => "not offered",
            Err(_) => "unreadable",
        }
    }
}
