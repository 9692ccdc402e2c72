//! The participants, who may hand in bots over the page of a league: names, each with a token.
//!
//! A token is 256 random bits, shown once. The league keeps only its digest, so the files of the league
//! let no one in. A token is looked up by its digest: the time that this takes says nothing about the
//! tokens.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use rand::TryRng;
use rand::rngs::SysRng;
use rules::Digest;
use serde::{Deserialize, Serialize};
use text::system_error;
use thiserror::Error;

use crate::league::folder::{BadLeague, LeagueFolder};
use crate::tournament::folder::shown;
use crate::tournament::folder::{Lock, NotLocked};
use conditions::bot::{EXPECTED_NAME, is_name, is_same_name};
use sandbox::file;

/// File of the participants.
const PARTICIPANTS: &str = "participants.json";
/// Lock of programs that change the participants.
const INVITING: &str = "inviting";
/// Time to wait for another program.
const PATIENCE: Duration = Duration::from_secs(30);
/// Longest file that is read, in bytes.
const LONGEST: u64 = 4 << 20;
const MOST: usize = 10_000;

/// The participants, by name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Participants(BTreeMap<String, Participant>);

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Participant {
    /// Digest of the token; none if it was revoked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    token: Option<Digest>,
}

/// A secret that identifies a participant. It is written as 64 hexadecimal digits.
pub struct Token([u8; 32]);

/// Reason why participants were not changed; one line.
#[derive(Debug, Error)]
pub enum NotInvited {
    /// The name is not valid.
    #[error("`{0}` is not a valid name for a participant, {EXPECTED_NAME}")]
    BadName(String),
    /// It differs from another name only in letter case.
    #[error("`{0}` differs from `{1}` in letter case alone, expected a different name")]
    SameName(String, String),
    /// There are too many participants.
    #[error("there are already {MOST} participants, which is the most allowed")]
    TooMany,
    /// There is no such participant.
    #[error("participant `{0}` has no token: `arbiter league invite` makes one")]
    Unknown(String),
    /// The league cannot be read.
    #[error(transparent)]
    League(#[from] BadLeague),
    /// Another program changes the participants.
    #[error("`{0}`: another program is inviting participants")]
    Locked(String),
    /// A file cannot be read or written.
    #[error("`{file}` cannot be used: {}", system_error(source))]
    Unusable {
        /// The file.
        file: String,
        /// The error of the system.
        source: io::Error,
    },
}

impl Token {
    fn drawn() -> io::Result<Token> {
        let mut bits = [0; 32];
        SysRng.try_fill_bytes(&mut bits).map_err(io::Error::other)?;
        Ok(Token(bits))
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Hides the token, which must not stand in an error or in a log.
impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

impl Participants {
    /// Reads the participants of a league.
    ///
    /// # Errors
    ///
    /// [`NotInvited::Unusable`]
    pub fn read(folder: &LeagueFolder) -> Result<Participants, NotInvited> {
        let path = place(folder);
        let text = match file::text(&path, LONGEST) {
            Ok(text) => text,
            // A league on a disk that is not there, say, still has its participants.
            Err(error) if error.kind() == io::ErrorKind::NotFound && folder.log().exists() => {
                return Ok(Self::default());
            }
            Err(error) => return Err(unusable(folder, error)),
        };
        serde_json::from_str(&text).map_err(|error| unusable(folder, error.into()))
    }

    /// Returns the participant with this token.
    pub fn with_token(&self, token: &str) -> Option<&str> {
        let digest = Digest::hash(token.as_bytes());
        let mut all = self.0.iter();
        all.find(|(_, participant)| participant.token == Some(digest))
            .map(|(name, _)| name.as_str())
    }

    /// Returns true if this participant has a token, and its digest is the given one, if one is given.
    pub(crate) fn may_hand_in(&self, name: &str, token: Option<Digest>) -> bool {
        let own = self.0.get(name).and_then(|participant| participant.token);
        own.is_some_and(|own| token.is_none_or(|token| token == own))
    }

    /// Returns the names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Returns true if a participant has or had this name.
    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    fn write(&self, folder: &LeagueFolder) -> io::Result<()> {
        file::replace(&place(folder), serde_json::to_string(self)?.as_bytes())
    }
}

/// Result of an invitation.
#[derive(Debug)]
pub struct Invitation {
    /// The token, which is not shown again.
    pub token: Token,
    /// True if it replaced another token, which is now void.
    pub has_replaced: bool,
}

/// Gives a participant a token, in place of an earlier one.
pub fn invite(folder: &LeagueFolder, name: &str) -> Result<Invitation, NotInvited> {
    if !is_name(name) {
        return Err(NotInvited::BadName(text::printable(name)));
    }
    let league = folder.read()?;
    let _lock = lock(folder)?;
    let mut all = Participants::read(folder)?;
    let entered = league.members().iter().map(|member| member.entry.bot.bot.as_str());
    let is_twin = |other: &&str| *other != name && is_same_name(other, name);
    if let Some(twin) = entered.chain(all.names()).find(is_twin) {
        return Err(NotInvited::SameName(name.to_owned(), twin.to_owned()));
    }
    if all.0.len() >= MOST && !all.has(name) {
        return Err(NotInvited::TooMany);
    }
    let token = Token::drawn().map_err(|error| unusable(folder, error))?;
    let digest = Digest::hash(token.to_string().as_bytes());
    let former = all.0.insert(name.to_owned(), Participant { token: Some(digest) });
    all.write(folder).map_err(|error| unusable(folder, error))?;
    let has_replaced = former.is_some_and(|former| former.token.is_some());
    Ok(Invitation { token, has_replaced })
}

/// Revokes the token of a participant; bots that were handed in stay.
pub fn revoke(folder: &LeagueFolder, name: &str) -> Result<(), NotInvited> {
    let _lock = lock(folder)?;
    let mut all = Participants::read(folder)?;
    // The name stays, so that no one else gets the bots that were handed in under it.
    let token = all.0.get_mut(name).and_then(|participant| participant.token.take());
    if token.is_none() {
        return Err(NotInvited::Unknown(text::printable(name)));
    }
    all.write(folder).map_err(|error| unusable(folder, error))
}

fn lock(folder: &LeagueFolder) -> Result<Lock, NotInvited> {
    let path = folder.path().join(INVITING);
    Lock::take(&path, PATIENCE).map_err(|problem| match problem {
        NotLocked::Held => NotInvited::Locked(shown(folder.path())),
        NotLocked::Unopened(source) | NotLocked::Refused(source) => {
            NotInvited::Unusable { file: shown(&path), source }
        }
    })
}

fn place(folder: &LeagueFolder) -> PathBuf {
    folder.path().join(PARTICIPANTS)
}

fn unusable(folder: &LeagueFolder, source: io::Error) -> NotInvited {
    NotInvited::Unusable { file: shown(&place(folder)), source }
}
