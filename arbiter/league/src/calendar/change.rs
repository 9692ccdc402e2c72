//! Changing one time of the calendar in `league.toml`, whose other lines stay as they are.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use jiff::Timestamp;
use text::failure::Failure;
use text::system_error;

use super::{Calendar, freeze_in_order};
use crate::folder::{LeagueFolder, SETTINGS};
use crate::settings::LeagueSettings;
use contest::tournament::folder::shown;
use sandbox::{file, new_file};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CalendarKey {
    /// From then on submissions are taken.
    Opens,
    /// Until then submissions are taken.
    Deadline,
    /// From then on pages stand still.
    Freeze,
    /// From then on pages show everything again.
    Unfreeze,
    /// From then on no round begins.
    Ends,
}

impl CalendarKey {
    /// Returns its name in `league.toml`.
    pub fn name(self) -> &'static str {
        match self {
            CalendarKey::Opens => "opens",
            CalendarKey::Deadline => "deadline",
            CalendarKey::Freeze => "freeze",
            CalendarKey::Unfreeze => "unfreeze",
            CalendarKey::Ends => "ends",
        }
    }
}

/// A change of the calendar: keys with their new times, or without a time.
pub type CalendarChange = [(CalendarKey, Option<Timestamp>)];

/// One change at a time in this program.
static CHANGING: Mutex<()> = Mutex::new(());

/// Returns the calendar after a change, with nothing changed.
///
/// # Errors
///
/// [`Failure::Usage`] if the times do not fit together, or the file cannot be changed by lines.
pub fn forecast(folder: &LeagueFolder, change: &CalendarChange) -> Result<Calendar, Failure> {
    changed(folder, change).map(|(_, calendar)| calendar)
}

/// Changes times in `league.toml`, and returns the new calendar.
///
/// # Errors
///
/// As for [`forecast`], and if the file cannot be written; then it is as it was.
pub fn set(folder: &LeagueFolder, change: &CalendarChange) -> Result<Calendar, Failure> {
    let _changing = CHANGING.lock().unwrap_or_else(PoisonError::into_inner);
    let (text, calendar) = changed(folder, change)?;
    let path = folder.path().join(SETTINGS);
    replace(&path, &text).map_err(|error| {
        Failure::Ours(format!("cannot write `{}`: {}", shown(&path), system_error(error)))
    })?;
    Ok(calendar)
}

/// Writes the file completely or not at all. Those who could read it still can.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    let path = fs::canonicalize(path)?;
    let folder = file::folder_of(&path);
    let mut new = new_file::file_in(folder)?;
    new.write_all(text.as_bytes())?;
    new.as_file().set_permissions(fs::metadata(&path)?.permissions())?;
    new.as_file().sync_all()?;
    new.persist(&path).map_err(|error| error.error)?;
    file::sync_folder(folder)
}

impl Calendar {
    /// Returns the calendar after a change.
    fn with(&self, change: &CalendarChange) -> Result<Calendar, String> {
        let mut new = self.clone();
        let [mut from, mut to] = [self.freeze.map(|it| it.from), self.freeze.and_then(|it| it.to)];
        for (key, at) in change {
            *match key {
                CalendarKey::Opens => &mut new.opens,
                CalendarKey::Deadline => &mut new.deadline,
                CalendarKey::Freeze => &mut from,
                CalendarKey::Unfreeze => &mut to,
                CalendarKey::Ends => &mut new.ends,
            } = *at;
        }
        new.freeze = freeze_in_order([new.opens, new.deadline, from, to, new.ends])?;
        Ok(new)
    }
}

/// The text of the settings after a change, and its calendar.
fn changed(folder: &LeagueFolder, change: &CalendarChange) -> Result<(String, Calendar), Failure> {
    let text = folder.settings()?;
    let expected = folder.calendar()?.with(change).map_err(Failure::usage)?;
    let text = change.iter().fold(text, |text, (key, at)| with_line(&text, key.name(), *at));
    let league = folder.read()?;
    let found = LeagueSettings::read_for(&league, &text).map(|it| it.calendar);
    match found {
        Ok(calendar) if calendar == expected => Ok((text, calendar)),
        Ok(_) | Err(_) => {
            let problem = "cannot edit the table `calendar` of league.toml in its current layout: \
                           edit the file by hand";
            Err(Failure::Usage(problem.to_owned()))
        }
    }
}

/// The text with this time in the table `calendar`, or without it.
fn with_line(text: &str, key: &str, at: Option<Timestamp>) -> String {
    let new = at.map(|at| format!("{key} = {at}"));
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    let is_windows = lines.first().is_some_and(|line| line.ends_with("\r\n"));
    let line_end = if is_windows { "\r\n" } else { "\n" };
    let name = |line: &str| line.split('#').next().unwrap_or_default().trim().to_owned();
    let start = lines.iter().position(|line| name(line) == "[calendar]");
    let Some(start) = start else {
        let table = |new| format!("{text}{line_end}[calendar]{line_end}{new}{line_end}");
        return new.map_or_else(|| text.to_owned(), table);
    };
    let end = lines[start + 1..].iter().position(|line| line.trim_start().starts_with('['));
    let end = end.map_or(lines.len(), |end| start + 1 + end);
    let is_it = |line: &String| {
        line.split_once('=').is_some_and(|(found, _)| found.trim().trim_matches(['"', '\'']) == key)
    };
    let place = lines[start + 1..end].iter().position(is_it).map(|place| start + 1 + place);
    match (place, new) {
        (Some(place), Some(new)) => {
            let kept = lines[place].trim_end_matches(['\r', '\n']).len();
            lines[place].replace_range(..kept, &new);
        }
        (Some(place), None) => {
            lines.remove(place);
        }
        (None, Some(new)) => {
            if !lines[start].ends_with('\n') {
                lines[start].push_str(line_end);
            }
            lines.insert(start + 1, new + line_end);
        }
        (None, None) => {}
    }
    lines.concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().expect("a time")
    }

    #[test]
    fn a_line_changes_and_all_others_stay() {
        let freeze = Some(at("2026-12-19T12:00:00Z"));
        let line = "freeze = 2026-12-19T12:00:00Z";
        for (before, after) in [
            ("game = 'coup'\n", format!("game = 'coup'\n\n[calendar]\n{line}\n")),
            (
                "# [calendar]\n# freeze = 1\n[calendar] # times\ndeadline = 2\n[quotas]\n",
                format!(
                    "# [calendar]\n# freeze = 1\n[calendar] # times\n{line}\ndeadline = 2\n[quotas]\n"
                ),
            ),
            (
                "[calendar]\ndeadline = 2\nfreeze=2026-12-01T00:00:00 # then\n\n[quotas]\nfreeze = 3\n",
                format!("[calendar]\ndeadline = 2\n{line}\n\n[quotas]\nfreeze = 3\n"),
            ),
        ] {
            assert_eq!(with_line(before, "freeze", freeze), after, "{before}");
        }
        let both = "[calendar]\nfreeze = 1\nunfreeze = 2\n";
        assert_eq!(with_line(both, "unfreeze", None), "[calendar]\nfreeze = 1\n");
        assert_eq!(with_line("game = 'coup'\n", "freeze", None), "game = 'coup'\n");
    }

    /// All line ends used to become LF.
    #[test]
    fn line_ends_of_windows_stay() {
        let freeze = Some(at("2026-12-19T12:00:00Z"));
        let line = "freeze = 2026-12-19T12:00:00Z";
        for (before, after) in [
            ("game = 'coup'\r\n", format!("game = 'coup'\r\n\r\n[calendar]\r\n{line}\r\n")),
            (
                "a = 1\r\n[calendar]\r\nfreeze = 1\r\nends = 2\n",
                format!("a = 1\r\n[calendar]\r\n{line}\r\nends = 2\n"),
            ),
            ("a = 1\r\n[calendar]", format!("a = 1\r\n[calendar]\r\n{line}\r\n")),
            ("[calendar]\nfreeze = 1", format!("[calendar]\n{line}")),
        ] {
            assert_eq!(with_line(before, "freeze", freeze), after, "{before:?}");
        }
    }

    /// The fraction was cut off, and the change refused for another time than the one that was asked for.
    #[test]
    fn a_time_may_have_a_fraction_of_a_second() {
        let change = [(CalendarKey::Deadline, Some(at("2026-12-19T12:00:00.25Z")))];
        let table = with_line("[calendar]\n", "deadline", change[0].1);
        assert_eq!(table, "[calendar]\ndeadline = 2026-12-19T12:00:00.25Z\n");
        let written = Calendar::read(table.trim_start_matches("[calendar]")).expect("a calendar");
        let expected = Calendar::default().with(&change).expect("a calendar");
        assert_eq!(written, expected);
    }
}
