//! Messages of programs in several languages about something that is not there for them.
//!
//! Messages are in small letters, since they are looked for in text that was made so.

/// The most lines that are read, the last ones of them.
const MOST_LINES: usize = 200;

/// The most ends that a path in a line without quotes may have.
const MOST_ENDS: usize = 16;

/// The longest path that there can be, in bytes.
const LONGEST: usize = 4096;

pub(super) const NO_FILE_THERE: [&str; 3] = ["no such file", "nosuchfile", "filenotfound"];

/// A file is not there, or may not be read.
const NO_FILE_TO_READ: [&str; 13] = [
    "enoent",
    "not found",
    "notfound",
    "cannot open",
    "can't open",
    "could not open",
    "unable to open",
    "failed to open",
    "does not exist",
    "doesn't exist",
    "permission denied",
    "eacces",
    "accessdenied",
];

/// The script of a command is not there, or may not be read by the interpreter.
pub(super) const SCRIPT: [&str; 5] = [
    "can't open file '",
    "can't open perl script",
    "no such file or directory -- ",
    "permission denied -- ",
    "sh: 0: cannot",
];

/// A program or a library was built for another processor, system or version.
pub(super) const BUILT_ELSEWHERE: [&str; 11] = [
    "illegal instruction",
    "sigill ",
    "exec format error",
    "cannot execute binary file",
    "wrong elf class",
    "invalid elf header",
    "version `glibc",
    "version `cxxabi",
    "unsupportedclassversionerror",
    "incompatible architecture",
    "was built with baseline optimizations",
];

/// A byte order mark stands before the first line of a script.
pub(super) const BYTE_ORDER_MARK: [&str; 2] = ["\u{feff}#!", "unrecognized character \\xef"];

/// A file is larger than it may be.
pub(super) const FILE_TOO_LARGE: [&str; 2] = ["file too large", "efbig"];

/// A program has read to the end of the input, and on.
pub(super) const END: [&str; 3] = ["eoferror", "eofexception", "nosuchelementexception: no line"];

/// A module is not there, up to its name.
pub(super) const MODULE: [&str; 5] = [
    "no module named ",
    "cannot find module ",
    "cannot find package ",
    "cannot load such file -- ",
    "module not found: ",
];

/// Perl's words for it, of a method, too.
const PERL_MODULE: &str = "can't locate ";

/// A module is not there, without a name behind it.
pub(super) const UNNAMED_MODULE: [&str; 3] =
    ["err_module_not_found", "you may need to install the", "no field package.preload"];

/// The loader of programs does not find a library, up to its name.
const LIBRARY: &str = "error while loading shared libraries: ";

/// The network is not there.
const NETWORK: [&str; 19] = [
    "network is unreachable",
    "enetunreach",
    "network unreachable",
    "temporary failure in name resolution",
    "name or service not known",
    "could not resolve host",
    "failed to lookup address",
    "failed to resolve",
    "unknownhostexception",
    "getaddrinfo",
    "eai_again",
    "enotfound",
    "server misbehaving",
    "connection refused",
    "econnrefused",
    "connectexception",
    "no route to host",
    "cannot assign requested address",
    "address family not supported",
];

/// A file cannot be written.
const READ_ONLY: [&str; 3] = ["read-only file system", "erofs", "readonlyfilesystem"];

/// The kernel refused a call.
const CALL: [&str; 4] = ["operation not permitted", "eperm:", "function not implemented", "enosys"];

#[derive(Debug)]
pub(super) struct StderrLines {
    /// Each line, and its form in small letters, which takes as many bytes.
    lines: Vec<(String, String)>,
}

impl StderrLines {
    pub(super) fn new(stderr: &[u8]) -> StderrLines {
        let text = String::from_utf8_lossy(stderr);
        let mut lines: Vec<_> = text.lines().rev().take(MOST_LINES).collect();
        lines.reverse();
        let with_small = |line: &str| (line.to_owned(), line.to_ascii_lowercase());
        StderrLines { lines: lines.into_iter().map(with_small).collect() }
    }

    /// Lines that say that a file or a module is not there.
    pub(super) fn of_missing(&self) -> impl Iterator<Item = &str> {
        let files = NO_FILE_THERE.iter().chain(&NO_FILE_TO_READ);
        let messages = files.chain(&MODULE).chain(&[PERL_MODULE, "no file '"]);
        let says = move |small: &str| messages.clone().any(|message| small.contains(message));
        self.lines.iter().filter(move |(_, small)| says(small)).map(|(line, _)| line.as_str())
    }

    /// The name of a library that is not there.
    pub(super) fn missing_library(&self) -> Option<&str> {
        self.lines.iter().find_map(|(line, small)| {
            let at = small.find(LIBRARY)? + LIBRARY.len();
            let name = line[at..].split(':').next()?;
            (!name.is_empty() && !name.contains('/')).then_some(name)
        })
    }

    pub(super) fn want_the_network(&self) -> bool {
        self.say(&NETWORK)
    }

    pub(super) fn want_to_write(&self) -> bool {
        self.say(&READ_ONLY)
    }

    pub(super) fn want_a_call(&self) -> bool {
        self.say(&CALL)
    }

    /// Returns true if one of these messages begins where a word does: `FileNotFoundError` holds `enotfound`.
    fn say(&self, messages: &[&str]) -> bool {
        let says = |small: &str, message: &str| {
            let mut found = small.match_indices(message);
            found.any(|(at, _)| !small[..at].ends_with(char::is_alphanumeric))
        };
        self.lines.iter().any(|(_, small)| messages.iter().any(|message| says(small, message)))
    }
}

/// The absolute paths that a line may name, those with quotes around them as they are, and others up to
/// each place where they may end, the longest first.
pub(super) fn paths_in(line: &str) -> Vec<&str> {
    let mut paths = Vec::new();
    for (at, _) in line.match_indices('/') {
        let before = line[..at].chars().next_back();
        // A little more than the longest, which is then left out.
        let end = (at + LONGEST + 1..line.len()).find(|end| line.is_char_boundary(*end));
        let rest = &line[at..end.unwrap_or(line.len())];
        match before {
            Some(quote @ ('\'' | '"' | '`' | '‘' | '“' | '«')) => {
                paths.extend(rest.split(closing(quote)).next());
            }
            Some(letter) if letter.is_alphanumeric() || "./_-~$*/".contains(letter) => {}
            // The address of a page.
            Some(':') if rest.starts_with("//") => {}
            _ => paths.extend(ends(rest)),
        }
    }
    paths.retain(|path| path.len() <= LONGEST && path.len() > 1);
    paths
}

fn closing(quote: char) -> &'static [char] {
    match quote {
        '\'' => &['\''],
        '"' => &['"'],
        '`' => &['`', '\''],
        '‘' => &['’'],
        '“' => &['”'],
        _ => &['»'],
    }
}

/// The text up to each place where a path in it may end, the longest first.
fn ends(text: &str) -> Vec<&str> {
    let may_end = |(at, letter): (usize, char)| {
        let is_end = letter.is_whitespace() || ":;,()[]<>'\"`".contains(letter);
        is_end.then_some(at)
    };
    let places = text.char_indices().filter_map(may_end).chain([text.len()]);
    let mut ends: Vec<&str> = Vec::new();
    for place in places.take(MOST_ENDS) {
        ends.push(&text[..place]);
        ends.extend(text[..place].strip_suffix('.'));
    }
    ends.reverse();
    ends
}

/// The names of modules that a line says are not there; those of Python without what is below them.
pub(super) fn modules_in(line: &str) -> Vec<&str> {
    let small = line.to_ascii_lowercase();
    let named = MODULE.iter().chain(&[PERL_MODULE]).filter_map(|message| {
        let at = small.find(message)? + message.len();
        let rest = line[at..].trim_start_matches(['\'', '"', '`', '‘']);
        let name = rest.split(['\'', '"', '`', '’', ' ', '(', ')', ',', ';']).next()?;
        let name = match *message {
            "no module named " => name.split('.').next()?,
            _ => name,
        };
        (!name.is_empty() && name.len() <= LONGEST && name != "/").then_some(name)
    });
    named.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As the interpreters and libraries of several languages say it.
    #[test]
    fn a_path_is_found_in_every_language() {
        let lines = [
            "FileNotFoundError: [Errno 2] No such file or directory: '/data/my model.bin'",
            "PermissionError: [Errno 13] Permission denied: '/data/my model.bin'",
            "Error: ENOENT: no such file or directory, open '/data/my model.bin'",
            "f.rb:1:in `read': No such file or directory @ rb_sysopen - /data/my model.bin (Errno::ENOENT)",
            "/data/my model.bin: No such file or directory at f.pl line 1.",
            "lua: f.lua:1: cannot open file '/data/my model.bin' (No such file or directory)",
            "cat: '/data/my model.bin': No such file or directory",
            "cat: ‘/data/my model.bin’: No such file or directory",
            "f.sh: 1: cannot open /data/my model.bin: No such file",
            "Exception in thread \"main\" java.nio.file.NoSuchFileException: /data/my model.bin",
            "java.io.FileNotFoundException: /data/my model.bin (No such file or directory)",
            "panic: open /data/my model.bin: no such file or directory",
            "cannot open /data/my model.bin.",
        ];
        for line in lines {
            let read = StderrLines::new(format!("Traceback\n{line}\n").as_bytes());
            let said: Vec<&str> = read.of_missing().collect();
            assert_eq!(said, [line]);
            assert!(paths_in(line).contains(&"/data/my model.bin"), "{line}: {:?}", paths_in(line));
        }
        assert!(paths_in("see https://example.org/x, ./a/b and ~/c").is_empty());
        assert!(paths_in("a / b").iter().all(|path| *path != "/"));
    }

    #[test]
    fn a_module_is_found_in_every_language() {
        for (line, expected) in [
            ("ModuleNotFoundError: No module named 'numpy.linalg'", "numpy"),
            ("ModuleNotFoundError: No module named helper", "helper"),
            ("Error: Cannot find module './helper'", "./helper"),
            ("Error: Cannot find module '/data/helper'", "/data/helper"),
            (
                "Error [ERR_MODULE_NOT_FOUND]: Cannot find package '@a/b' imported from /m.mjs",
                "@a/b",
            ),
            ("m.rb:1:in `require': cannot load such file -- helper (LoadError)", "helper"),
            ("Can't locate A/B.pm in @INC (you may need to install the A::B module)", "A/B.pm"),
        ] {
            assert_eq!(modules_in(line), [expected], "{line}");
            assert_eq!(StderrLines::new(line.as_bytes()).of_missing().count(), 1, "{line}");
        }
    }

    #[test]
    fn what_else_is_missing_is_told_apart() {
        let library = "./bot: error while loading shared libraries: libx.so.1: cannot open shared \
                       object file: No such file or directory";
        assert_eq!(StderrLines::new(library.as_bytes()).missing_library(), Some("libx.so.1"));
        for line in [
            "OSError: [Errno 101] Network is unreachable",
            "socket.gaierror: [Errno -3] Temporary failure in name resolution",
            "Error: connect ECONNREFUSED 127.0.0.1:5432",
            "dial tcp 10.0.0.1:80: connect: network is unreachable",
            "java.net.UnknownHostException: example.org",
        ] {
            let lines = StderrLines::new(line.as_bytes());
            assert!(lines.want_the_network() && !lines.want_to_write(), "{line}");
        }
        let lines = StderrLines::new(b"OSError: [Errno 30] Read-only file system: '/usr/x'");
        assert!(lines.want_to_write() && !lines.want_a_call());
        let lines = StderrLines::new(b"PermissionError: [Errno 1] Operation not permitted");
        assert!(lines.want_a_call() && !lines.want_the_network());
        assert!(!StderrLines::new(b"ZeroDivisionError: division by zero").want_a_call());
    }
}
