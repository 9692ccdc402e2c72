//! Who may hand in bots over the page of a league: names, each with a token of its own.
//!
//! A token is 256 random bits, shown once. The league keeps its digest alone, so what lies on the disk
//! lets no one in. A token is looked up by its digest: how long that takes says nothing of the
//! tokens that there are.

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
use crate::tournament::lock::{Lock, NotLocked};
use conditions::bot::{EXPECTED_NAME, is_name, is_same_name};
use sandbox::file;

/// The participants, by their names.
const PARTICIPANTS: &str = "participants.json";
/// What only one program at a time holds that changes them.
const INVITING: &str = "inviting";
/// How long another program is waited for.
const PATIENCE: Duration = Duration::from_secs(30);
/// The most that the file may hold, in bytes.
const LONGEST: u64 = 4 << 20;
/// How many participants there may be.
const MOST: usize = 10_000;

/// Who may hand in bots.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Participants(BTreeMap<String, Participant>);

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Participant {
    /// The digest of the token; none where it was taken back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    token: Option<Digest>,
}

/// A secret that says who hands in a bot. It is written as 64 hexadecimal digits.
pub struct Token([u8; 32]);

/// Why someone is not invited, or is still; one line.
#[derive(Debug, Error)]
pub enum NotInvited {
    /// The name is none.
    #[error("`{0}` is not a valid name for a participant, {EXPECTED_NAME}")]
    BadName(String),
    /// Another name is the same but for letter case.
    #[error("`{0}` differs from `{1}` in letter case alone, expected a different name")]
    SameName(String, String),
    /// There are too many.
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
        /// What the system said.
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

/// Not the token itself: it must not stand in an error or in a log.
impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

impl Participants {
    /// Those of a league.
    ///
    /// # Errors
    ///
    /// [`NotInvited::Unusable`]
    pub fn read(folder: &LeagueFolder) -> Result<Participants, NotInvited> {
        let path = place(folder);
        let text = match file::text(&path, LONGEST) {
            Ok(text) => text,
            // A league that is away, on a disk that is not there, say, has its participants all the same.
            Err(error) if error.kind() == io::ErrorKind::NotFound && folder.log().exists() => {
                return Ok(Self::default());
            }
            Err(error) => return Err(unusable(folder, error)),
        };
        serde_json::from_str(&text).map_err(|error| unusable(folder, error.into()))
    }

    /// Who has this token.
    pub fn with_token(&self, token: &str) -> Option<&str> {
        let digest = Digest::hash(token.as_bytes());
        let mut all = self.0.iter();
        all.find(|(_, participant)| participant.token == Some(digest))
            .map(|(name, _)| name.as_str())
    }

    /// Whether someone with this name has a token, and it is the one with this digest, if one is given.
    pub fn may_hand_in(&self, name: &str, token: Option<Digest>) -> bool {
        let own = self.0.get(name).and_then(|participant| participant.token);
        own.is_some_and(|own| token.is_none_or(|token| token == own))
    }

    /// The names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Whether someone has or had this name.
    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    fn write(&self, folder: &LeagueFolder) -> io::Result<()> {
        file::replace(&place(folder), serde_json::to_string(self)?.as_bytes())
    }
}

/// A participant who was invited.
#[derive(Debug)]
pub struct Invitation {
    /// The token, which nothing tells again.
    pub token: Token,
    /// Whether there was another one, which is void now.
    pub has_replaced: bool,
}

/// Gives a participant a token, which takes the place of a former one.
///
/// # Errors
///
/// [`NotInvited`]
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

/// Takes the token of a participant back; the bots that were handed in stay.
///
/// # Errors
///
/// [`NotInvited`]
pub fn revoke(folder: &LeagueFolder, name: &str) -> Result<(), NotInvited> {
    let _lock = lock(folder)?;
    let mut all = Participants::read(folder)?;
    // The name stays, so that no one else gets what was handed in under it.
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
