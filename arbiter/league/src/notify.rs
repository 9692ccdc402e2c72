//! Notifications: events of a league, handed to a command of the organiser as they happen.
//!
//! The table `notify` of `league.toml` names a command, which gets a line of JSON on standard input for each event. A
//! message counts as sent once the command ends with exit code 0, and the place behind it in the file of events is
//! written then. So each message is sent at least once, even if a program is killed.

use std::{fs, io};

use hmac::{Hmac, KeyInit, Mac};
use jiff::Timestamp;
use sandbox::new_file;
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use text::failure::Failure;
use text::printable;

use crate::events::{self, LeagueEvent, StoredEvent, TimedEvent};
use crate::folder::{LeagueError, LeagueFolder, unusable};
use crate::json_files::JsonFile;
use crate::participants::Participants;

/// File with the place behind the last event that was sent.
const SENT: &str = "notified";

/// The table `notify`: the command, and the events that it gets. Without a command nothing is sent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct NotifySettings {
    /// The command, with its arguments as in a shell.
    command: Option<String>,
    secret: Option<String>,
    /// The kinds of events that are sent: their keys in the file of events. All of them if it is not there.
    events: Option<Vec<String>>,
}

#[derive(Debug, Serialize)]
pub struct Message<'a> {
    /// The name of the folder of the league.
    league: String,
    text: String,
    /// The name of the bot that it is about; none for an event of the whole league.
    bot: Option<&'a str>,
    /// The note of the organiser about its participant: a name or an address.
    person: Option<&'a str>,
    #[serde(flatten)]
    happened: &'a TimedEvent,
}

impl NotifySettings {
    /// Checks the names of events and the command.
    ///
    /// # Errors
    ///
    /// Fails with the key and the expected values.
    pub fn checked(self) -> Result<NotifySettings, String> {
        let unknown =
            self.events.iter().flatten().find(|it| !LeagueEvent::KINDS.contains(&it.as_str()));
        if let Some(kind) = unknown {
            let known = LeagueEvent::KINDS.join(", ");
            return Err(format!("notify.events: unknown event `{kind}`; the events are {known}"));
        }
        match self.words() {
            Some(words) if words.is_empty() => {
                Err("notify.command: empty command or unclosed quote".to_owned())
            }
            Some(_) | None => Ok(self),
        }
    }

    /// The words of the command, none of them if it cannot be read; nothing if there is no command.
    pub fn words(&self) -> Option<Vec<String>> {
        self.command.as_ref().map(|command| shlex::split(command).unwrap_or_default())
    }

    /// Tells whether an event is sent.
    pub fn sends(&self, event: &LeagueEvent) -> bool {
        self.events.as_ref().is_none_or(|kinds| kinds.iter().any(|kind| *kind == event.kind()))
    }

    /// The signature of a message: HMAC-SHA256 of its bytes by the secret, in hexadecimal digits; none without a secret.
    pub fn signature(&self, message: &[u8]) -> Option<String> {
        let secret = self.secret.as_ref()?;
        // A key of any length will do.
        let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).ok()?;
        mac.update(message);
        Some(mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect())
    }
}

impl<'a> Message<'a> {
    pub fn new(
        folder: &LeagueFolder,
        people: &'a Participants,
        happened: &'a TimedEvent,
    ) -> Message<'a> {
        let league = folder.path().file_name().map(|name| name.to_string_lossy().into_owned());
        let bot = happened.event.bot();
        let person = bot.and_then(|name| people.of_bot(name)?.person.as_deref());
        let text = happened.in_words();
        Message { league: league.unwrap_or_default(), text, bot, person, happened }
    }

    /// The line of JSON that the command gets.
    pub fn line(&self) -> Vec<u8> {
        // All of it has a form in JSON.
        let mut line = serde_json::to_vec(self).unwrap_or_default();
        line.push(b'\n');
        line
    }
}

/// Reads what is sent; the rest of the settings is not looked at.
///
/// # Errors
///
/// [`Failure::Usage`] if the file or the table cannot be read.
pub fn settings(folder: &LeagueFolder) -> Result<NotifySettings, Failure> {
    let settings: NotifySettings = folder.settings_table("notify")?;
    settings.checked().map_err(|error| folder.wrong_setting(error))
}

/// The events that were not sent yet, the oldest first. The first time there are none: earlier events are not sent.
///
/// # Errors
///
/// Fails if the files cannot be read or written.
pub fn unsent(folder: &LeagueFolder) -> Result<(Vec<StoredEvent>, u64), LeagueError> {
    let path = folder.path().join(SENT);
    let length = events::length(folder);
    let place = match fs::read_to_string(&path) {
        Ok(text) => text.trim().parse().unwrap_or(length).min(length),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            sent(folder, length)?;
            length
        }
        Err(error) => return Err(unusable(&path, error)),
    };
    events::read_from(folder, place).map_err(|error| unusable(folder.path(), error))
}

/// Notes that all events before this place were sent.
///
/// # Errors
///
/// Fails if the file cannot be written.
pub fn sent(folder: &LeagueFolder, place: u64) -> Result<(), LeagueError> {
    let path = folder.path().join(SENT);
    new_file::replace(&path, format!("{place}\n").as_bytes())
        .map_err(|error| unusable(&path, error))
}

const NOTICES: JsonFile = JsonFile { name: "notices.json", lock: "noticing", longest: 1 << 20 };
/// Most notices.
const MOST: usize = 100;
/// Longest notice, in characters.
const LONGEST_NOTICE: usize = 2_000;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Notice {
    /// Its number, from 1; numbers of removed notices do not come again.
    pub number: u64,
    /// The time at which it was written, in seconds since 1970.
    pub at: i64,
    /// Its text, in one line.
    pub text: String,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Notices {
    /// The number of the last notice, which may have been removed.
    last: u64,
    notices: Vec<Notice>,
}

/// Returns the notices of a league, the oldest one first.
///
/// # Errors
///
/// [`LeagueError`] if the file cannot be read.
pub fn list(folder: &LeagueFolder) -> Result<Vec<Notice>, LeagueError> {
    let file: Notices = NOTICES.read(folder)?;
    Ok(file.notices)
}

/// Adds a notice; characters that a terminal would not show are spelt out.
///
/// # Errors
///
/// Fails with nothing changed.
pub fn add(folder: &LeagueFolder, text: &str, now: Timestamp) -> Result<Notice, Failure> {
    let text = printable(text.trim());
    let length = text.chars().count();
    if length == 0 || length > LONGEST_NOTICE {
        return Err(Failure::Usage(format!(
            "the notice has {length} characters: use 1 to {LONGEST_NOTICE}"
        )));
    }
    NOTICES.change(folder, |file: &mut Notices| {
        if file.notices.len() >= MOST {
            let problem = format!("limit of {MOST} notices reached: remove one first");
            return Err(Failure::Usage(problem));
        }
        file.last = file.last.saturating_add(1);
        let notice = Notice { number: file.last, at: now.as_second(), text };
        file.notices.push(notice.clone());
        Ok(notice)
    })
}

/// Removes a notice.
///
/// # Errors
///
/// Fails with nothing changed.
pub fn remove(folder: &LeagueFolder, number: u64) -> Result<(), Failure> {
    NOTICES.change(folder, |file: &mut Notices| {
        let place = file.notices.iter().position(|notice| notice.number == number);
        let place = place.ok_or_else(|| {
            Failure::Usage(format!(
                "no notice {number}: list them with `arbiter league notice DIR`"
            ))
        })?;
        file.notices.remove(place);
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<NotifySettings, String> {
        let settings: NotifySettings = toml::from_str(text).map_err(|error| error.to_string())?;
        settings.checked()
    }

    /// Test case 2 of RFC 4231.
    #[test]
    fn messages_are_signed_by_hmac() {
        let settings = read("secret = 'Jefe'").expect("settings");
        let signature = settings.signature(b"what do ya want for nothing?").expect("a signature");
        let expected = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
        assert_eq!(signature, expected);
        assert_eq!(NotifySettings::default().signature(b""), None);
    }

    #[test]
    fn events_are_chosen_by_their_kinds() {
        let some = read("events = ['round', 'left']").expect("settings");
        let refused = LeagueEvent::Refused("anna".to_owned());
        let round = LeagueEvent::Round { round: 1, games: 2, first: None };
        assert_eq!([some.sends(&refused), some.sends(&round)], [false, true]);
        let all = read("command = 'mail \"a b\"'").expect("settings");
        assert_eq!([all.sends(&refused), all.sends(&round)], [true, true]);
        for (wrong, says) in [
            ("events = ['rounds']", "unknown event `rounds`"),
            ("command = ''", "notify.command"),
            ("command = 'a \"b'", "notify.command"),
            ("url = 'x'", "unknown field"),
        ] {
            let problem = read(wrong).expect_err(wrong);
            assert!(problem.contains(says), "{problem}");
        }
    }
}
