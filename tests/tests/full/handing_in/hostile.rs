//! Hostile uploads, each with its refusal, and the memory of the server.

use std::io::{Read, Write};
use std::net::TcpStream;
use tests::archives::{Entry, deflated, gz, stored, tar_entry, zip};
use tests::handing_in::{Server, bot, json, refusal};
use tests::league::{league, states};

const MANIFEST: (&str, &[u8]) = ("bot.toml", b"name = 'x'\ncommand = 'sh bot.sh'\n");

/// A zip with a manifest and another entry.
fn zip_with(entry: Entry) -> Vec<u8> {
    zip(&[stored(MANIFEST.0, MANIFEST.1), entry])
}

/// A compressed tar with a manifest and an entry of this kind.
fn tar_with(name: &str, kind: u8, content: &[u8]) -> Vec<u8> {
    gz(&[tar_entry(MANIFEST.0, b'0', MANIFEST.1), tar_entry(name, kind, content), vec![0; 1024]]
        .concat())
}

/// Uploads with what the refusal says.
fn uploads() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let zeros = vec![0; 300 << 20];
    let entry = |name: &str, content: &[u8]| stored(name, content);
    let mode = |mode| Entry { mode, ..entry("x", b"/etc/passwd") };
    let many: Vec<u8> =
        (0..100_000).flat_map(|it| tar_entry(&format!("f{it}"), b'0', b"")).collect();
    let many_zipped: Vec<Entry> = (0..65_000).map(|it| entry(&format!("f{it}"), b"")).collect();
    let mut cut = zip(&[stored(MANIFEST.0, MANIFEST.1), stored("x", &[7; 5_000])]);
    cut.truncate(cut.len() / 2);
    vec![
        ("a zip bomb", zip_with(deflated("x", &zeros)), "unpacks to more than"),
        ("a bomb of a tar", tar_with("x", b'0', &zeros), "unpacks to more than"),
        ("zeros behind a tar", gz(&[many[..512].to_vec(), zeros].concat()), "unpacks to more than"),
        ("`..` in a zip", zip_with(entry("../x", b"")), "contains `..`"),
        ("`..` in a tar", tar_with("a/../../x", b'0', b""), "contains `..`"),
        ("an absolute path", zip_with(entry("/tmp/x", b"")), "is absolute"),
        ("a backslash", zip_with(entry("..\\x", b"")), "uses backslashes"),
        ("a line break", zip_with(entry("a\nb", b"")), "contains a control character"),
        ("a link in a zip", zip_with(mode(0o120_777)), "`x` in the archive is a link"),
        ("a device in a zip", zip_with(mode(0o020_666)), "`x` in the archive is a device"),
        ("a link in a tar", tar_with("x", b'2', b""), "`x` in the archive is a link"),
        ("a hard link", tar_with("x", b'1', b""), "`x` in the archive is a link"),
        ("a device in a tar", tar_with("x", b'3', b""), "`x` in the archive is a device"),
        ("a pipe", tar_with("x", b'6', b""), "`x` in the archive is a pipe"),
        ("a long name", tar_with("x", b'L', &vec![b'x'; 20 << 20]), "damaged or truncated"),
        ("100,000 files", gz(&many), "more than 2000 files and folders"),
        ("65,000 files in a zip", zip(&many_zipped), "more than 2000 files and folders"),
        (
            "a name twice",
            zip_with(entry("BOT.toml", b"")),
            "`bot.toml` in the archive have the same name",
        ),
        (
            "an overlap",
            zip_with(Entry { at: Some(0), ..entry("x", MANIFEST.1) }),
            "overlaps another entry",
        ),
        ("a password", zip_with(Entry { flags: 1, ..entry("x", b"?") }), "is encrypted"),
        ("LZMA", zip_with(Entry { method: 14, ..entry("x", b"?") }), "uses 14 (lzma)"),
        ("half a zip", cut, "damaged or truncated"),
        (
            "half a tar",
            gz(&tar_entry(MANIFEST.0, b'0', MANIFEST.1))[..60].to_vec(),
            "damaged or truncated",
        ),
        ("no manifest", zip(&[stored("bot.sh", b"exit")]), "no bot.toml in the archive"),
        ("a program", b"\x7fELF\x02\x01\x01\0".to_vec(), "unsupported file type (a program)"),
        ("7-Zip", b"7z\xbc\xaf\x27\x1c\0\x04".to_vec(), "unsupported file type (a 7-Zip archive)"),
        ("a picture", b"\x89PNG\r\n\x1a\n\0".to_vec(), "neither an archive nor UTF-8 text"),
        ("a text", b"hello\n".to_vec(), "unknown language of `bot.zip`"),
    ]
}

#[test]
fn each_hostile_upload_is_refused_and_the_server_stays_small() {
    let server = Server::start(league(&["random"]));
    for (number, (what, content, expected)) in uploads().into_iter().enumerate() {
        // Each has a participant of its own, since none may send so many.
        let token = server.invite(&format!("p{number}"));
        let told = server.hand_in(&token, "bot.zip", &content);
        assert_eq!(told["verdict"], "refused", "{what}: {told}");
        assert_eq!(told["step"], "files", "{what}: {told}");
        let why = told["why"].as_str().expect("a reason");
        assert!(why.contains(expected), "{what}: {why}");
        assert!(!why.contains("class/"), "where it was unpacked is told: {why}");
    }
    let token = server.invite("anna");
    let long = server.send(&token, "bot.zip", &vec![b'x'; (16 << 20) + 1]);
    assert!(refusal(&long, 413).starts_with("the file is larger than 16.0 MiB"));
    let long_name = "x".repeat(5_000);
    let told = server.hand_in(&token, &format!("{long_name}.sh"), b"exit\n");
    assert!(told["why"].as_str().expect("a reason").contains("invalid source file name"));
    // After all of that it takes a good one.
    let told = server.hand_in(&token, "bot.zip", &bot("good"));
    assert_eq!(told["bot"], "anna@1", "{told}");
    assert_eq!(states(&server.bench), ["random@1 active", "anna@1 active"]);
    let peak = server.peak();
    println!("at most {peak} KiB");
    assert!(peak < 100 << 10, "{peak} KiB");
}

#[test]
fn an_upload_that_breaks_off_leaves_nothing() {
    let server = Server::start(league(&["random"]));
    let token = server.invite("anna");
    let address = server.host();
    for sent in [0, 10, 5 << 20] {
        let mut stream = TcpStream::connect(&address).expect("a connection");
        let head = format!(
            "POST /hand-in/?file=bot.zip HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\n\
             Content-Length: 8000000\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).expect("it listens");
        stream.write_all(&vec![0; sent]).expect("it listens");
        stream.shutdown(std::net::Shutdown::Write).expect("ours");
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
    }
    tests::running::wait_until("nothing is left", || {
        let folder = server.bench.path("class/arriving");
        std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none())
    });
    let mut taken = None;
    tests::running::wait_until("another file is taken", || {
        let answer = server.send(&token, "bot.zip", &bot("whole"));
        let is_taken = answer.status_code != 409;
        taken = is_taken.then(|| json(&answer)["number"].as_u64().expect("a number"));
        is_taken
    });
    let told = server.decided(&token, taken.expect("a submission"));
    assert_eq!(told["bot"], "anna@1", "{told}");
}

/// A participant takes one place of those who send files, however many are begun.
#[test]
fn a_participant_sends_one_file_at_a_time() {
    let server = Server::start(league(&["random"]));
    let [anna, ben] = ["anna", "ben"].map(|name| server.invite(name));
    let address = server.host();
    let mut stream = TcpStream::connect(&address).expect("a connection");
    let head = format!(
        "POST /hand-in/?file=bot.zip HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {anna}\r\n\
         Content-Length: 8000\r\n\r\nabc"
    );
    stream.write_all(head.as_bytes()).expect("it listens");
    tests::running::wait_until("the file is on its way", || {
        let folder = server.bench.path("class/arriving");
        std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some())
    });
    let why = refusal(&server.send(&anna, "bot.zip", &bot("second")), 409);
    assert_eq!(why, "you already have an upload in progress");
    let told = server.hand_in(&ben, "bot.zip", &bot("ben's"));
    assert_eq!(told["bot"], "ben@1", "{told}");
    drop(stream);
}
