//! Permissions of bots beyond their own files: their requests, and the grants of their user.

use std::fmt;
use std::path::{self, Path, PathBuf};
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use text::printable;
use thiserror::Error;

use crate::name::{is_player_name, spelt_as_names};
use crate::spec::BotSpec;
use sandbox::file;
use sandbox::isolation::Isolation;
use sandbox::{AllowedPaths, SearchPath};
use text::failure::Failure;
use text::shell;

/// The isolation of bots, and exceptions for some of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IsolationSpec {
    pub isolation: Isolation,
    pub grants: Grants,
}

/// Something that a bot cannot do unless it is granted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Permission {
    /// To read a file or a folder outside of its own, an absolute path.
    Read(PathBuf),
    /// To use a device, for example a graphics processor: an absolute path in `/dev`.
    Device(PathBuf),
    Network,
}

/// A right of the bot with a name: `NAME:read=FOLDER`, `NAME:device=DEVICE` or `NAME:network`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grant {
    bot: String,
    right: Permission,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Vec<String>", try_from = "Vec<String>")]
pub struct Grants(Vec<Grant>);

/// A bot asks for something that no one has granted.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}: pass --allow {} to permit it", self.request_text(), self.option())]
pub struct MissingGrant {
    grant: Grant,
    /// What it asks for, as its author wrote it.
    written: String,
}

/// Folders of the machine itself, rather than of files.
const OF_MACHINE: [&str; 3] = ["/dev", "/proc", "/sys"];

impl FromStr for Grant {
    type Err = Failure;

    fn from_str(text: &str) -> Result<Grant, Failure> {
        let grant = Grant::read(text)?;
        grant.check(text).map(|()| grant)
    }
}

impl Grant {
    /// Checks that its path exists and can be granted.
    fn check(&self, text: &str) -> Result<(), Failure> {
        let wrong =
            |problem: &str| Err(Failure::usage(format_args!("`{}` {problem}", printable(text))));
        match &self.right {
            Permission::Read(path) if path.parent().is_none() => {
                wrong("covers the whole machine: name a folder")
            }
            Permission::Read(path) if OF_MACHINE.iter().any(|of| path.starts_with(of)) => {
                wrong("is not a folder of regular files: for devices use NAME:device=DEVICE")
            }
            Permission::Read(path) if path == Path::new("/tmp") => {
                wrong("is private to each bot: name a folder inside it")
            }
            Permission::Read(path) if !path.exists() => wrong("names a path that does not exist"),
            Permission::Device(path) if !is_device(path) => wrong(
                "is not a device: name a character device in /dev, such as /dev/dri/renderD128, \
                 without symbolic links",
            ),
            _ => Ok(()),
        }
    }
}

/// Returns true if this is a device that programs talk to, in the place of devices. A disk is none: it holds the
/// files of the machine.
#[cfg(unix)]
fn is_device(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    let is_itself = path.canonicalize().is_ok_and(|real| real == path);
    let found = path.symlink_metadata();
    is_itself && path.starts_with("/dev") && found.is_ok_and(|it| it.file_type().is_char_device())
}

#[cfg(not(unix))]
fn is_device(_path: &Path) -> bool {
    false
}

impl Grant {
    /// Reads a grant, whether or not what it names is there: a plan may outlive it.
    pub fn read(text: &str) -> Result<Grant, Failure> {
        let wrong = || {
            Failure::usage(format_args!(
                "invalid permission `{}`: use NAME:read=FOLDER, NAME:device=DEVICE or NAME:network",
                printable(text)
            ))
        };
        let (bot, right) = text.split_once(':').ok_or_else(wrong)?;
        let bot = spelt_as_names(bot);
        if !is_player_name(&bot) {
            return Err(wrong());
        }
        let right = match right.split_once('=') {
            Some(("read", path)) if !path.is_empty() => Permission::Read(absolute(Path::new(path))),
            Some(("device", path)) if !path.is_empty() => {
                Permission::Device(absolute(Path::new(path)))
            }
            None if right == "network" => Permission::Network,
            _ => return Err(wrong()),
        };
        Ok(Grant { bot, right })
    }

    pub fn new(bot: &str, right: Permission) -> Grant {
        Grant { bot: bot.to_owned(), right }
    }

    /// The text that grants it, behind `--allow`, as a word for a shell.
    pub fn option(&self) -> String {
        shell::word(Path::new(&self.to_string()))
    }
}

impl fmt::Display for Grant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.right {
            Permission::Read(path) => write!(f, "{}:read={}", self.bot, path.display()),
            Permission::Device(path) => write!(f, "{}:device={}", self.bot, path.display()),
            Permission::Network => write!(f, "{}:network", self.bot),
        }
    }
}

impl MissingGrant {
    /// Names the bot and its request as its author wrote it, who learns nothing of this machine.
    pub fn asked_by_author(&self) -> String {
        let MissingGrant { grant: Grant { bot, right }, written } = self;
        match right {
            Permission::Read(_) => format!("bot `{bot}` asks to read `{written}`"),
            Permission::Device(_) | Permission::Network => self.request_text(),
        }
    }

    /// Names the bot and its request.
    pub fn request_text(&self) -> String {
        let Grant { bot, right } = &self.grant;
        match right {
            Permission::Read(path) => {
                format!("bot `{bot}` asks to read `{}`", printable(&path.display().to_string()))
            }
            Permission::Device(path) => {
                format!("bot `{bot}` asks for `{}`", printable(&path.display().to_string()))
            }
            Permission::Network => format!("bot `{bot}` asks for the network"),
        }
    }

    pub fn right(&self) -> &Permission {
        &self.grant.right
    }

    /// The line of a plan that grants it.
    pub fn in_plan(&self) -> String {
        format!("allow = [{}]", toml::Value::String(self.grant.to_string()))
    }

    /// The text that grants it, behind `--allow`, as a word for a shell.
    pub fn option(&self) -> String {
        self.grant.option()
    }
}

impl From<Grants> for Vec<String> {
    fn from(grants: Grants) -> Vec<String> {
        grants.0.iter().map(Grant::to_string).collect()
    }
}

/// The things named need not be there: a plan may outlive them.
impl TryFrom<Vec<String>> for Grants {
    type Error = Failure;

    fn try_from(texts: Vec<String>) -> Result<Grants, Failure> {
        texts.iter().map(|text| Grant::read(text)).collect()
    }
}

impl FromIterator<Grant> for Grants {
    fn from_iter<I: IntoIterator<Item = Grant>>(grants: I) -> Self {
        Grants(grants.into_iter().collect())
    }
}

impl Grants {
    /// The grants with each bot under the names that it has elsewhere.
    pub fn renamed(&self, names: &dyn Fn(&str) -> Vec<String>) -> Grants {
        let renamed = self.0.iter().flat_map(|Grant { bot, right }| {
            names(bot).into_iter().map(|bot| Grant { bot, right: right.clone() })
        });
        renamed.collect()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Checks that all that they name is there and can be granted.
    pub fn check(&self) -> Result<(), Failure> {
        self.0.iter().try_for_each(|grant| grant.check(&grant.to_string()))
    }

    pub fn and(&self, others: &Grants) -> Grants {
        Grants(self.0.iter().chain(&others.0).cloned().collect())
    }

    /// Checks that every bot that is named is there.
    pub fn check_names(&self, names: &[String]) -> Result<(), Failure> {
        match self.0.iter().find(|grant| !names.contains(&grant.bot)) {
            None => Ok(()),
            Some(grant) => Err(Failure::Usage(format!(
                "`{}` names an unknown bot `{}`: use one of {}",
                printable(&grant.to_string()),
                grant.bot,
                names.join(", ")
            ))),
        }
    }

    fn of_bot(&self, name: &str) -> impl Iterator<Item = &Permission> {
        self.0.iter().filter(move |grant| grant.bot == name).map(|grant| &grant.right)
    }

    /// Paths that the bot of this name may read.
    pub fn readable(&self, name: &str) -> Vec<PathBuf> {
        let path = |right: &Permission| match right {
            Permission::Read(path) => Some(path.clone()),
            Permission::Device(_) | Permission::Network => None,
        };
        self.of_bot(name).filter_map(path).collect()
    }

    /// The devices that the bot of this name may use.
    pub fn devices(&self, name: &str) -> Vec<PathBuf> {
        let path = |right: &Permission| match right {
            Permission::Device(path) => Some(path.clone()),
            Permission::Read(_) | Permission::Network => None,
        };
        self.of_bot(name).filter_map(path).collect()
    }

    /// Returns true if the bot of this name may use the network.
    pub fn network(&self, name: &str) -> bool {
        self.of_bot(name).any(|right| *right == Permission::Network)
    }
}

/// Places outside of the folder of a bot that its files may lead to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OutsideAccess {
    /// The system and the programs on `PATH` without what is hidden, and what was granted.
    Granted {
        /// What was granted.
        readable: Vec<PathBuf>,
        /// What is hidden from all bots, wherever it lies.
        hidden: Vec<PathBuf>,
    },
    /// Everything, since nothing keeps bots apart.
    Everything,
}

impl OutsideAccess {
    /// The same without these places.
    pub fn apart_from(self, kept: &[PathBuf]) -> OutsideAccess {
        match self {
            OutsideAccess::Granted { readable, mut hidden } => {
                hidden.extend(kept.iter().map(|path| absolute(path)));
                OutsideAccess::Granted { readable, hidden }
            }
            OutsideAccess::Everything => OutsideAccess::Everything,
        }
    }

    /// The reach of a bot's files: one that is no folder has a command that its user typed.
    pub fn reach(&self, folder: Option<&Path>, search: &SearchPath) -> AllowedPaths {
        match (self, folder) {
            // Other systems keep no bots apart, and have their programs in other places.
            (OutsideAccess::Granted { readable, hidden }, Some(folder))
                if cfg!(target_os = "linux") =>
            {
                AllowedPaths::of_folder(folder, (readable, hidden), search)
            }
            _ => AllowedPaths::default(),
        }
    }
}

impl IsolationSpec {
    /// Places that the files of the bot of this name may lead to.
    pub fn outside_access(&self, name: &str) -> OutsideAccess {
        match self.isolation {
            Isolation::Off => OutsideAccess::Everything,
            Isolation::Auto | Isolation::Strict => {
                OutsideAccess::Granted { readable: self.grants.readable(name), hidden: Vec::new() }
            }
        }
    }

    /// Checks that all that a bot asks for in its manifest is granted. Files in its own folder need
    /// no grant, and without isolation, nothing does.
    pub fn check(&self, name: &str, bot: &BotSpec) -> Result<(), MissingGrant> {
        self.not_granted(name, bot).into_iter().next().map_or(Ok(()), Err)
    }

    /// The options that ask for it, each as words for a shell.
    pub fn options(&self) -> Vec<String> {
        let isolation = match self.isolation.is_usual() {
            true => None,
            false => Some(format!("--isolation {}", self.isolation)),
        };
        let grants = self.grants.0.iter().map(|grant| format!("--allow {}", grant.option()));
        isolation.into_iter().chain(grants).collect()
    }

    /// All that a bot asks for and is not granted, without what needs no grant.
    pub fn not_granted(&self, name: &str, bot: &BotSpec) -> Vec<MissingGrant> {
        let Some(folder) = bot.folder().filter(|_| self.isolation != Isolation::Off) else {
            return Vec::new();
        };
        let not_granted = |right, written| MissingGrant { grant: Grant::new(name, right), written };
        let readable = self.grants.readable(name);
        let reach = AllowedPaths::of_grants(&folder.path, &readable);
        // A link that lies elsewhere may lead to what is granted. Without a grant nothing is looked at.
        let readable: Vec<PathBuf> = readable.iter().map(|path| real(path)).collect();
        let leads_there = |path: &Path| readable.iter().any(|it| real(path).starts_with(it));
        let asked = folder.manifest.read.iter().map(|path| (path, folder.path.join(path)));
        let mut missing: Vec<MissingGrant> = asked
            .filter(|(_, path)| !reach.allows(path) && !leads_there(path))
            .map(|(written, path)| {
                let written = printable(&written.to_string_lossy());
                not_granted(Permission::Read(real(&path)), written)
            })
            .collect();
        if folder.manifest.network && !self.grants.network(name) {
            missing.push(not_granted(Permission::Network, String::new()));
        }
        missing
    }
}

/// An absolute path to the same file, which need not be there.
pub(super) fn absolute(path: &Path) -> PathBuf {
    path::absolute(path).map_or_else(|_| path.to_owned(), file::without_parents)
}

/// The path without links, as far as it is there.
pub(super) fn real(path: &Path) -> PathBuf {
    let path = absolute(path);
    path.ancestors()
        .find_map(|folder| {
            let rest = path.strip_prefix(folder).ok()?;
            let real = folder.canonicalize().ok()?;
            Some(if rest.as_os_str().is_empty() { real } else { real.join(rest) })
        })
        .unwrap_or_else(|| path.clone())
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use tempfile::TempDir;

    use super::*;

    #[test]
    fn a_grant_is_one_of_three() {
        for text in ["ann:network", "ann#2:read=/usr/bin", "ann:read=/usr", "ann:device=/dev/zero"]
        {
            let grant: Grant = text.parse().expect(text);
            assert_eq!(grant.to_string(), text);
        }
        let cases = [
            ("network", "use NAME:read=FOLDER, NAME:device=DEVICE or NAME:network"),
            ("a b:network", "invalid permission"),
            (":network", "invalid permission"),
            ("ann:write=/usr", "invalid permission"),
            ("ann:network=x", "invalid permission"),
            ("ann:read=", "invalid permission"),
            ("ann:read", "invalid permission"),
            ("ann:read=/", "covers the whole machine: name a folder"),
            ("ann:read=/usr/..", "covers the whole machine"),
            ("ann:read=/proc/1", "is not a folder of regular files"),
            ("ann:read=/tmp", "is private to each bot"),
            ("ann:device=", "invalid permission"),
            ("ann:device=/dev", "is not a device: name a character device in /dev"),
            ("ann:device=/dev/nowhere", "is not a device"),
            ("ann:device=/dev/stdin", "is not a device"),
            ("ann:device=/etc/passwd", "is not a device"),
            ("ann:read=/nowhere\n", "names a path that does not exist"),
        ];
        for (text, expected) in cases {
            let problem = text.parse::<Grant>().expect_err(text).to_string();
            assert!(problem.contains(expected), "{text}: {problem}");
            assert!(!problem.contains('\n'), "{problem}");
        }
    }

    #[test]
    fn what_lies_outside_of_a_folder_has_to_be_granted() {
        let folder = TempDir::new().expect("a folder");
        let top = folder.path().canonicalize().expect("a folder");
        fs::create_dir_all(top.join("mine/data")).expect("a folder");
        fs::create_dir_all(top.join("out/inner")).expect("a folder");
        symlink("../out", top.join("mine/link")).expect("a link");
        let asks = |lines: &str, granted: &[&str]| {
            let text = format!("name = 'mine'\ncommand = './bot'\n{lines}\n");
            fs::write(top.join("mine/bot.toml"), text).expect("a manifest");
            let path = top.join("mine").display().to_string();
            let bot: BotSpec = path.parse().expect("a bot");
            let bot = bot.opened().expect("a manifest");
            let grants = granted.iter().map(|grant| {
                let grant = grant.replace("TOP", top.to_str().expect("UTF-8"));
                grant.parse::<Grant>().expect("a grant")
            });
            let asked = IsolationSpec { grants: grants.collect(), ..IsolationSpec::default() };
            let off = IsolationSpec { isolation: Isolation::Off, grants: Grants::default() };
            assert_eq!(off.check("mine", &bot), Ok(()));
            let problem = asked.check("mine", &bot).err().map(|error| error.to_string());
            problem.map(|problem| problem.replace(top.to_str().expect("UTF-8"), "TOP"))
        };
        assert_eq!(asks("", &[]), None);
        assert_eq!(asks("read = ['data', 'later', './data/../data']", &[]), None);
        let reading = Some(
            "bot `mine` asks to read `TOP/out`: pass --allow 'mine:read=TOP/out' to permit it"
                .to_owned(),
        );
        assert_eq!(asks("read = ['../out']", &[]), reading);
        assert_eq!(asks("read = ['link']", &["other:read=TOP/out"]), reading);
        assert_eq!(asks("read = ['link']", &["mine:read=TOP/out/inner"]), reading);
        assert_eq!(asks("read = ['link/inner']", &["mine:read=TOP/mine/link"]), None);
        // A path that is not there is no more within reach than one that is.
        symlink("../nowhere", top.join("mine/lost")).expect("a link");
        for line in ["read = ['lost']", "read = ['lost/x']", "read = ['../nowhere']"] {
            assert!(asks(line, &[]).is_some_and(|it| it.contains("TOP/")), "{line}");
        }
        let network = "bot `mine` asks for the network: pass --allow mine:network to permit it";
        assert_eq!(asks("network = true", &["mine:read=TOP/out"]).as_deref(), Some(network));
        assert_eq!(asks("network = true", &["mine:network"]), None);
    }
}
