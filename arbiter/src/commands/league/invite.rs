//! `arbiter league invite` and `code`: participants of a league and their tokens.
//!
//! It may have further columns, which are passed on, and any separator. A text that is not UTF-8 is refused: its letters
//! could only be guessed, and a name is for ever.

use std::io::Write;
use std::path::{Path, PathBuf};

use bot::{is_same_name, spelt_as_names};
use clap::Args;
use contest::tournament::folder::shown;
use csv::{ReaderBuilder, StringRecord, Trim};
use league::folder::LeagueFolder;
use league::participants::{self, Invitation, InvitationRequest, Participants};
use league::{audit, keys};
use sandbox::file;
use text::failure::Failure;
use text::terminal::say;
use text::{counted, printable, spreadsheet_cell};

use crate::options::number;

/// The longest list of participants that is read, in bytes.
const LONGEST: u64 = 4 << 20;

#[derive(Debug, Args)]
#[command(
    after_help = "Bots submitted with the token enter as NAME. Inviting again revokes the old \
token.

--csv FILE has a header line with `name` and, optionally, `member` and `person` (the real name). \
Prints a CSV for a mail merge: these columns, the new tokens, and all other columns as they are; participants with a token are skipped. \
The submission page is part of `arbiter serve DIR --submit`.

Examples:
  arbiter league invite class anna
  arbiter league invite class anna --member ben
  arbiter league invite class --csv class.csv > tokens.csv"
)]
pub(super) struct InviteArgs {
    /// League folder
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Name of the participant and of their bot
    #[arg(value_name = "NAME", required_unless_present = "csv")]
    name: Option<String>,
    /// Team member to invite with a separate token
    #[arg(long, value_name = "MEMBER")]
    member: Option<String>,
    /// Real name, visible to the organiser and on certificates
    #[arg(long, value_name = "TEXT", conflicts_with = "revoke")]
    person: Option<String>,
    /// Revoke the token and those of all members; entered bots stay
    #[arg(long)]
    revoke: bool,
    /// Invite everyone in a CSV file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["name", "member", "person", "revoke"])]
    csv: Option<PathBuf>,
}

impl InviteArgs {
    /// Gives participants tokens, which are shown once, or revokes them.
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let folder = LeagueFolder::open(&self.dir)?;
        if let Some(list) = self.csv {
            return invite_all(&folder, &list, out);
        }
        let name = spelt_as_names(&self.name.unwrap_or_default());
        if !self.revoke {
            let person = InvitedPerson {
                name,
                member: self.member,
                person: self.person,
                others: Vec::new(),
                line: 0,
            };
            return invite_one(&folder, &person, out);
        }
        participants::revoke(&folder, &name, self.member.as_deref())?;
        audit::add(&folder, audit::COMMAND, "invite", &format!("token of {name} revoked"));
        let told = self.member.map_or(name.clone(), |member| format!("{member} of {name}"));
        Ok(writeln!(out, "token of {told} revoked")?)
    }
}

fn invite_one(
    folder: &LeagueFolder,
    person: &InvitedPerson,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let name = &person.name;
    let is_new = !Participants::read(folder)?.has(name);
    let Invitation { token, has_replaced } = participants::invite(folder, &person.invited())?;
    if has_replaced {
        say(format!(
            "note: the old token of `{name}` is revoked; its queued submissions will be rejected"
        ));
    }
    if is_new && folder.read()?.newest(name).is_some() {
        say(format!(
            "note: a bot `{name}` has already entered; submissions will become its new versions"
        ));
    }
    audit::add(folder, audit::COMMAND, "invite", &format!("new token for {name}"));
    let told = person.member.as_ref().map_or(name.clone(), |member| format!("{name}/{member}"));
    Ok(writeln!(out, "{told}: {token}")?)
}

/// Invites all in a list, and writes a list with their tokens. All of them get one, or none.
fn invite_all(folder: &LeagueFolder, list: &Path, out: &mut dyn Write) -> Result<(), Failure> {
    let wrong = |problem: String| Failure::Usage(format!("`{}`: {problem}", shown(list)));
    let bytes = file::bytes(list, LONGEST).map_err(|error| wrong(text::system_error(error)))?;
    let ClassList { people: listed, others, notes } = read(&bytes).map_err(wrong)?;
    let known = Participants::read(folder)?;
    let has_token = |person: &InvitedPerson| {
        let mut all = known.all();
        let found = all.find(|(name, _)| *name == person.name);
        found.is_some_and(|(_, participant)| participant.has_token(person.member.as_deref()))
    };
    let (before, new): (Vec<InvitedPerson>, Vec<InvitedPerson>) =
        listed.into_iter().partition(has_token);
    let invited: Vec<InvitationRequest<'_>> = new.iter().map(InvitedPerson::invited).collect();
    let refused = |place: usize, why: &str| wrong(format!("line {}: {why}", new[place].line));
    let invitations = participants::invite_all(folder, &invited, &refused)?;
    let done = format!("new tokens for {}", counted(invited.len(), "person", "people"));
    audit::add(folder, audit::COMMAND, "invite", &done);
    let unwritten = |error: csv::Error| Failure::Ours(format!("cannot write the list: {error}"));
    let mut written = csv::Writer::from_writer(Vec::new());
    let headings = ["name", "member", "person", "token"].map(str::to_owned);
    let others = others.iter().map(|heading| spreadsheet_cell(heading).into());
    written.write_record(headings.into_iter().chain(others)).map_err(unwritten)?;
    for (InvitedPerson { name, member, person, others, .. }, invitation) in
        new.iter().zip(invitations)
    {
        let (member, person) = (member.as_deref(), person.as_deref());
        let token = invitation.token.to_string();
        let person = printable(person.unwrap_or_default());
        let row = [name, member.unwrap_or_default(), &spreadsheet_cell(&person), &token];
        let others = others.iter().map(|cell| spreadsheet_cell(cell).into());
        let row = row.into_iter().map(str::to_owned).chain(others);
        written.write_record(row).map_err(unwritten)?;
    }
    let text = written.into_inner().map_err(|error| unwritten(error.into_error().into()))?;
    out.write_all(&text)?;
    notes.iter().for_each(|note| say(format!("note: `{}`: {note}", shown(list))));
    if !before.is_empty() {
        let before = counted(before.len(), "participant already has", "participants already have");
        say(format!("note: {before} a token; skipped"));
    }
    Ok(())
}

#[derive(Debug, Args)]
#[command(
    after_help = "Anyone with the code can pick a name and get a token. A new code replaces \
the old one.

Example: arbiter league code class --uses 40"
)]
pub(super) struct CodeArgs {
    /// League folder
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Number of registrations allowed
    #[arg(long, value_name = "N", default_value = "100", value_parser = number::<u64>("a number of people", 1..=10_000))]
    uses: u64,
    /// Revoke the code; registered participants stay
    #[arg(long, conflicts_with = "uses")]
    revoke: bool,
}

impl CodeArgs {
    /// Makes a code for a class, which is shown once, or revokes it.
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let folder = LeagueFolder::open(&self.dir)?;
        if !self.revoke {
            let code = keys::new_code(&folder, self.uses)?;
            let done = format!("new registration code for {}", counted(self.uses, "use", "uses"));
            audit::add(&folder, audit::COMMAND, "code", &done);
            return Ok(writeln!(out, "{code}")?);
        }
        keys::revoke_code(&folder)?;
        audit::add(&folder, audit::COMMAND, "code", "registration code revoked");
        Ok(writeln!(out, "registration code revoked")?)
    }
}

/// The most letters of a line in an error.
const SHOWN: usize = 60;

/// The separators of cells; spreadsheets write semicolons where a comma is the decimal sign.
const SEPARATORS: [char; 3] = ['\t', ';', ','];

/// Columns that are read.
const COLUMNS: [&str; 3] = ["name", "member", "person"];

#[derive(Debug, Default)]
pub(super) struct ClassList {
    pub(super) people: Vec<InvitedPerson>,
    /// The headings of the other columns, which are passed on.
    pub(super) others: Vec<String>,
    /// What was changed, a line each.
    pub(super) notes: Vec<String>,
}

/// Reads a list: the columns `name` and, if they are there, `member` and `person`.
pub(super) fn read(bytes: &[u8]) -> Result<ClassList, String> {
    let text = decoded(bytes)?.replace("\r\n", "\n").replace('\r', "\n");
    if let Some(line) = unclosed(&text) {
        return Err(format!("line {line}: a quote is not closed"));
    }
    let (separator, rows) = separated(&text)?;
    let mut reader = ReaderBuilder::new();
    let reader = reader.trim(Trim::All).delimiter(separator);
    let mut reader = reader.from_reader(rows.as_bytes());
    let columns = ColumnPositions::read(reader.headers().map_err(describe_error)?)?;
    let others = columns.others.iter().map(|(_, heading)| heading.clone()).collect();
    let mut list = ClassList { others, ..ClassList::default() };
    for row in reader.records() {
        let row = row.map_err(describe_error)?;
        let line = row.position().map_or(0, csv::Position::line);
        if row.len() > 1 && row.iter().all(str::is_empty) {
            continue;
        }
        if row.iter().any(|cell| cell.contains('\n')) {
            return Err(format!(
                "line {line}: a cell contains a line break: a quote may be missing"
            ));
        }
        let [name, member, person] = columns.cells(&row);
        let name = name.ok_or_else(|| format!("line {line}: the name is empty"))?;
        let name = list.named(line, name);
        let member = member.map(|member| list.named(line, member));
        if let Some(earlier) = list.people.iter().find(|it| is_twin(it, &name, &member)) {
            return Err(twin(line, earlier, &name, &member));
        }
        if list.people.len() == participants::MOST {
            return Err(format!("more than {} lines: split the list", participants::MOST));
        }
        let (person, others) = (person.map(str::to_owned), columns.other_cells(&row));
        list.people.push(InvitedPerson { name, member, person, others, line });
    }
    Ok(list)
}

impl ClassList {
    /// A name in its one spelling, without blanks.
    fn named(&mut self, line: u64, text: &str) -> String {
        let words: Vec<&str> = text.split_whitespace().collect();
        let name = spelt_as_names(&words.join("-"));
        if words.len() > 1 {
            let text = printable(text);
            self.notes.push(format!("line {line}: `{text}` becomes `{}`", printable(&name)));
        }
        name
    }
}

fn describe_error(error: csv::Error) -> String {
    printable(&error.to_string())
}

struct ColumnPositions {
    places: [Option<usize>; 3],
    /// Those that are passed on, with their headings.
    others: Vec<(usize, String)>,
}

impl ColumnPositions {
    fn read(headings: &StringRecord) -> Result<ColumnPositions, String> {
        let mut columns = ColumnPositions { places: [None; 3], others: Vec::new() };
        for (place, heading) in headings.iter().enumerate() {
            match COLUMNS.iter().position(|known| heading.eq_ignore_ascii_case(known)) {
                Some(known) if columns.places[known].is_some() => {
                    let known = COLUMNS[known];
                    return Err(format!("two columns `{known}` in the first line: rename one"));
                }
                Some(known) => columns.places[known] = Some(place),
                None if heading.is_empty() => {}
                None => columns.others.push((place, printable(heading))),
            }
        }
        match columns.places[0] {
            Some(_) => Ok(columns),
            None => Err("no column `name` in the first line: it must name the columns, as in \
                         `name,person`"
                .to_owned()),
        }
    }

    /// The cells of a row, of which an empty one is none.
    fn cells<'a>(&self, row: &'a StringRecord) -> [Option<&'a str>; 3] {
        let cell = |place: Option<usize>| place.and_then(|place| row.get(place));
        self.places.map(|place| cell(place).filter(|text| !text.is_empty()))
    }

    fn other_cells(&self, row: &StringRecord) -> Vec<String> {
        let cell = |(place, _): &(usize, String)| row.get(*place).unwrap_or_default();
        self.others.iter().map(|other| printable(cell(other))).collect()
    }
}

/// Returns true if two people would share a token, or could be taken for each other.
fn is_twin(it: &InvitedPerson, name: &str, member: &Option<String>) -> bool {
    match it.name == name {
        true => match (&it.member, member) {
            (Some(one), Some(other)) => is_same_name(one, other),
            (one, other) => one == other,
        },
        false => is_same_name(&it.name, name),
    }
}

fn twin(line: u64, it: &InvitedPerson, name: &str, member: &Option<String>) -> String {
    let [one, other] = match it.name == name {
        true => [member.as_deref().unwrap_or(name), it.member.as_deref().unwrap_or(&it.name)],
        false => [name, &it.name],
    };
    let [one, other] = [one, other].map(printable);
    let earlier = it.line;
    match one == other {
        true => format!("line {line}: `{one}` is listed twice, first in line {earlier}"),
        false => format!(
            "line {line}: `{one}` differs only in case from `{other}` in line {earlier}: rename one"
        ),
    }
}

/// The line at whose end the first quote that is never closed is still open.
fn unclosed(text: &str) -> Option<usize> {
    let mut open = None;
    for (line, text) in text.split('\n').enumerate() {
        if text.matches('"').count() % 2 == 1 {
            open = match open {
                None => Some(line + 1),
                Some(_) => None,
            };
        }
    }
    open
}

/// The separator, and the rows with their headings; an empty line stands for the one that names the separator.
fn separated(text: &str) -> Result<(u8, &str), String> {
    let first = text.lines().next().unwrap_or_default();
    // Excel names the separator in a line of its own.
    if let Some(separator) = first.strip_prefix("sep=") {
        let rows = text.find('\n').map_or("", |end| &text[end..]);
        return match separator.as_bytes() {
            [separator] => Ok((*separator, rows)),
            _ => Err("line 1: `sep=` names no separator: put one character behind it".to_owned()),
        };
    }
    let headings = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let count = |separator: &char| headings.matches(*separator).count();
    let separator = SEPARATORS.into_iter().max_by_key(count).unwrap_or(',');
    Ok((separator as u8, text))
}

/// The text of a list.
fn decoded(bytes: &[u8]) -> Result<String, String> {
    let wide = |read: fn([u8; 2]) -> u16, bytes: &[u8]| {
        let letters: Vec<u16> =
            bytes.chunks_exact(2).map(|pair| read([pair[0], pair[1]])).collect();
        let whole =
            bytes.len().is_multiple_of(2).then(|| String::from_utf16(&letters).ok()).flatten();
        whole.ok_or_else(|| format!("the list begins like UTF-16, but is not: {SAVE}"))
    };
    match bytes {
        [0xff, 0xfe, rest @ ..] => wide(u16::from_le_bytes, rest),
        [0xfe, 0xff, rest @ ..] => wide(u16::from_be_bytes, rest),
        [0xef, 0xbb, 0xbf, rest @ ..] => utf8(rest),
        // No text has such a byte, and UTF-16 has one in each letter of English.
        _ if bytes.contains(&0) => {
            Err(format!("the list is UTF-16 without a byte order mark: {SAVE}"))
        }
        _ => utf8(bytes),
    }
}

const SAVE: &str = "save it as \"CSV UTF-8\"";

fn utf8(bytes: &[u8]) -> Result<String, String> {
    let text = match str::from_utf8(bytes) {
        Ok(text) => return Ok(text.to_owned()),
        Err(error) => error.valid_up_to(),
    };
    let before = &bytes[..text];
    let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
    let begins = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let rest = &bytes[begins..];
    let rest = rest.split(|byte| *byte == b'\n').next().unwrap_or(rest);
    let shown: String = rest.iter().take(SHOWN).map(|byte| windows_1252(*byte)).collect();
    Err(format!(
        "line {line}: the list is not UTF-8 but probably Windows-1252, which makes this line `{}`: {SAVE}",
        printable(shown.trim())
    ))
}

/// The letter of a byte in Windows-1252.
fn windows_1252(byte: u8) -> char {
    const HIGH: [char; 32] = [
        '€', '\u{fffd}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{fffd}', 'Ž',
        '\u{fffd}', '\u{fffd}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ',
        '\u{fffd}', 'ž', 'Ÿ',
    ];
    match byte {
        0x80..=0x9f => HIGH[usize::from(byte - 0x80)],
        other => char::from(other),
    }
}

/// A participant, or a member of a team.
#[derive(Debug, Default)]
pub(super) struct InvitedPerson {
    pub name: String,
    pub member: Option<String>,
    /// A remark for the organiser alone.
    pub person: Option<String>,
    /// The cells of the other columns.
    pub others: Vec<String>,
    /// The number of the line in the list, from 1; 0 without a list.
    pub line: u64,
}

impl InvitedPerson {
    pub(super) fn invited(&self) -> InvitationRequest<'_> {
        let InvitedPerson { name, member, person, .. } = self;
        InvitationRequest { name, member: member.as_deref(), person: person.as_deref() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn people(bytes: &[u8]) -> Vec<(String, Option<String>, Option<String>)> {
        let list = read(bytes).unwrap_or_else(|problem| panic!("{problem}"));
        list.people.into_iter().map(|it| (it.name, it.member, it.person)).collect()
    }

    fn wide(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(bytes).collect()
    }

    #[test]
    fn a_list_is_read_as_spreadsheets_write_it() {
        let expected = [
            ("anna".to_owned(), None, Some("Müller, Anna".to_owned())),
            ("ben".to_owned(), None, None),
        ];
        let tabs = "name\tperson\r\nanna\t\"Müller, Anna\"\r\nben\t\r\n";
        let lists = [
            "name,person\nanna,\"Müller, Anna\"\nben,\n".into(),
            "\u{feff}Name;PERSON\r\nanna;Müller, Anna\r\nben;\r\n".into(),
            "sep=;\r\nname;person\r\nanna;Müller, Anna\r\nben;\r\n".into(),
            "name;person\ranna;Müller, Anna\rben;\r".into(),
            tabs.into(),
            wide(tabs, u16::to_le_bytes),
            wide(tabs, u16::to_be_bytes),
            // Empty rows, and what a learning platform adds.
            "\nname,person\n\n,\nanna,\"Müller, Anna\"\n,\n\nben,\n,\n".into(),
            "id,name,e-mail,person,\n1,anna,a@b,\"Müller, Anna\",\n2,ben,c@d,,\n".into(),
        ];
        for list in &lists {
            assert_eq!(people(list), expected, "{}", String::from_utf8_lossy(list));
        }
    }

    #[test]
    fn other_columns_are_passed_on_and_changes_are_noted() {
        let list = read("name,email,group\nAnna  Maria,a@b,G1\nben\u{a0}b,c@d,G2\n".as_bytes());
        let list = list.expect("a list");
        assert_eq!(
            list.notes,
            ["line 2: `Anna  Maria` becomes `Anna-Maria`", "line 3: `ben\\u{a0}b` becomes `ben-b`",]
        );
        assert_eq!(
            list.people.iter().map(|it| it.name.as_str()).collect::<Vec<_>>(),
            ["Anna-Maria", "ben-b"]
        );
        assert_eq!(list.others, ["email", "group"]);
        assert_eq!(list.people[1].others, ["c@d", "G2"]);
    }

    #[test]
    fn a_wrong_list_is_refused_with_the_line() {
        let cases: [(&[u8], &str); 16] = [
            (
                b"name;person\r\nanna;M\xfcller\r\n",
                "line 2: the list is not UTF-8 but probably Windows-1252, which makes this line `anna;Müller`: save it",
            ),
            (b"name\nJos\xe9 \x80\n", "`José €`"),
            (b"n\0a\0m\0e\0", "UTF-16 without a byte order mark"),
            (b"\xff\xfen\0a", "is not: save it"),
            (b"person\nAnna\n", "no column `name` in the first line"),
            (b"", "no column `name`"),
            (b"name,Name\na,b\n", "two columns `name`"),
            (b"name\nanna\nben\nanna\n", "line 4: `anna` is listed twice, first in line 2"),
            (b"sep=,\nname,x\nanna,1\nanna,2\n", "line 4: `anna` is listed twice, first in line 3"),
            (b"name\nAnna B\nanna-b\n", "line 3: `anna-b` differs only in case from `Anna-B`"),
            (b"name,member\nteam,ben\nteam,Ben\n", "line 3: `Ben` differs only in case from `ben`"),
            (b"name\n\"anna\nben\n", "line 2: a quote is not closed"),
            (b"name,person\nanna,\"Anna\nben,\"\n", "line 2: a cell contains a line break"),
            (b"sep=\nname\n", "`sep=` names no separator"),
            (b"name;x\nanna;1\nben\n", "line: 3"),
            (b"sep=;\r\nname;x\r\nanna;1\r\nben\r\n", "line: 4"),
        ];
        for (list, expected) in cases {
            let problem = read(list).expect_err("it is wrong");
            assert!(problem.contains(expected), "{problem}");
        }
    }
}
