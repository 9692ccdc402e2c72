//! The keys of a league beside those of participants: the token of its organiser, and the code of a class.
//!
//! Only digests are kept, in `keys.json`.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use rules::Digest;
use serde::{Deserialize, Serialize};
use text::system_error;
use thiserror::Error;

use crate::league::folder::LeagueFolder;
use crate::league::participants::{self, NotInvited};
use crate::league::token::{Code, Token};
use crate::tournament::folder::{Lock, NotLocked, shown};
use sandbox::file;

/// File of the keys.
const KEYS: &str = "keys.json";
/// Lock of programs that change them.
const LOCK: &str = "keying";
/// Time to wait for another program.
const PATIENCE: Duration = Duration::from_secs(30);
/// Longest file that is read, in bytes.
const LONGEST: u64 = 64 << 10;

/// The keys, by their digests.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Keys {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    organiser: Option<Digest>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    code: Option<ClassCode>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ClassCode {
    code: Digest,
    /// Number of people who may still register.
    left: u64,
}

/// Reason why a key was not made or used; one line.
#[derive(Debug, Error)]
pub enum BadKey {
    /// The code is wrong, or was revoked.
    #[error("this code is not valid, ask the organiser for the right one")]
    WrongCode,
    /// The code was used up.
    #[error("this code was used as often as it may be, ask the organiser for a new one")]
    UsedUp,
    /// The participant cannot register.
    #[error(transparent)]
    NotInvited(#[from] NotInvited),
    /// There is no key to revoke.
    #[error("the league has no {0} to revoke")]
    Missing(&'static str),
    /// Another program changes them.
    #[error("`{0}`: another program is changing its keys")]
    Locked(String),
    /// The file cannot be read or written.
    #[error("`{file}` cannot be used: {}", system_error(source))]
    Unusable {
        /// The file.
        file: String,
        /// The error of the system.
        source: io::Error,
    },
}

impl Keys {
    /// Reads the keys of a league.
    ///
    /// # Errors
    ///
    /// [`BadKey::Unusable`]
    pub fn read(folder: &LeagueFolder) -> Result<Keys, BadKey> {
        let text = match file::text(&place(folder), LONGEST) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound && folder.log().exists() => {
                return Ok(Keys::default());
            }
            Err(error) => return Err(unusable(folder, error)),
        };
        serde_json::from_str(&text).map_err(|error| unusable(folder, error.into()))
    }

    /// Returns true if this is the token of the organiser.
    pub fn is_organiser(&self, token: &str) -> bool {
        self.organiser == Some(Digest::hash(token.as_bytes()))
    }

    /// Returns true if the league has an organiser with a token.
    pub fn has_organiser(&self) -> bool {
        self.organiser.is_some()
    }

    /// Returns the number of people who may still register with the code, if there is one.
    pub fn registrations_left(&self) -> Option<u64> {
        self.code.map(|code| code.left)
    }
}

/// Gives the organiser a new token, in place of an earlier one.
///
/// # Errors
///
/// [`BadKey`], with nothing changed.
pub fn new_organiser(folder: &LeagueFolder) -> Result<Token, BadKey> {
    let token = Token::drawn().map_err(|error| unusable(folder, error))?;
    change(folder, |keys| {
        keys.organiser = Some(token.digest());
        Ok(())
    })?;
    Ok(token)
}

/// Revokes the token of the organiser.
///
/// # Errors
///
/// [`BadKey::Missing`] if there is none.
pub fn revoke_organiser(folder: &LeagueFolder) -> Result<(), BadKey> {
    change(folder, |keys| keys.organiser.take().map(drop).ok_or(BadKey::Missing("organiser")))
}

/// Makes a code by which this number of people may register, in place of an earlier one.
///
/// # Errors
///
/// [`BadKey`], with nothing changed.
pub fn new_code(folder: &LeagueFolder, uses: u64) -> Result<Code, BadKey> {
    let code = Code::drawn().map_err(|error| unusable(folder, error))?;
    change(folder, |keys| {
        keys.code = Some(ClassCode { code: code.digest(), left: uses });
        Ok(())
    })?;
    Ok(code)
}

/// Revokes the code; those who have registered stay.
///
/// # Errors
///
/// [`BadKey::Missing`] if there is none.
pub fn revoke_code(folder: &LeagueFolder) -> Result<(), BadKey> {
    change(folder, |keys| keys.code.take().map(drop).ok_or(BadKey::Missing("code")))
}

/// Registers a participant by the code.
///
/// # Errors
///
/// [`BadKey`], with nothing changed.
pub fn register(folder: &LeagueFolder, typed: &str, name: &str) -> Result<Token, BadKey> {
    let mut token = None;
    change(folder, |keys| {
        let code = keys.code.as_mut().filter(|code| code.code == Code::digest_of(typed));
        let code = code.ok_or(BadKey::WrongCode)?;
        code.left = code.left.checked_sub(1).ok_or(BadKey::UsedUp)?;
        token = Some(participants::register(folder, name)?);
        Ok(())
    })?;
    token.ok_or(BadKey::WrongCode)
}

fn change(
    folder: &LeagueFolder,
    change: impl FnOnce(&mut Keys) -> Result<(), BadKey>,
) -> Result<(), BadKey> {
    let lock = Lock::take(&folder.path().join(LOCK), PATIENCE);
    let _lock = lock.map_err(|problem| match problem {
        NotLocked::Held => BadKey::Locked(shown(folder.path())),
        NotLocked::Unopened(error) | NotLocked::Refused(error) => unusable(folder, error),
    })?;
    let mut keys = Keys::read(folder)?;
    change(&mut keys)?;
    let written = serde_json::to_string(&keys).map_err(io::Error::from);
    written
        .and_then(|text| file::replace(&place(folder), text.as_bytes()))
        .map_err(|error| unusable(folder, error))
}

fn place(folder: &LeagueFolder) -> PathBuf {
    folder.path().join(KEYS)
}

fn unusable(folder: &LeagueFolder, source: io::Error) -> BadKey {
    BadKey::Unusable { file: shown(&place(folder)), source }
}
