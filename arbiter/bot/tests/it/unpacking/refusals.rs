//! Hostile archives, each with its refusal.

use std::fs;
use std::io::Cursor;

use bot::unpacking::{Bounds, Upload, unpack};
use tar::EntryType;
use tempfile::TempDir;

use super::archives::{Entry, deflated, gz, stored, zip};
use super::{MANIFEST, append, header, refusal, sent, tar};

fn manifest() -> Entry {
    stored("bot.toml", MANIFEST.as_bytes())
}

/// Why a zip with a manifest and this entry is refused.
fn zipped(entry: Entry) -> String {
    refusal(&zip(&[manifest(), entry]), None).to_string()
}

/// Why a tar with a manifest and this entry is refused.
fn tarred(name: &[u8], kind: EntryType, content: &[u8]) -> String {
    let bytes = tar(|to| {
        append(to, b"bot.toml", EntryType::Regular, MANIFEST.as_bytes());
        append(to, name, kind, content);
    });
    refusal(&gz(&bytes), None).to_string()
}

#[test]
fn paths_that_lead_elsewhere_or_are_none() {
    let cases: [(&[u8], &str); 16] = [
        (b"../up", "`../up` in the archive has `..`, expected one that stays in the archive"),
        (b"a/../../up", "`a/../../up` in the archive has `..`"),
        (b"a/..", "`a/..` in the archive has `..`"),
        (b"..", "`..` in the archive has `..`"),
        (b"/etc/passwd", "`/etc/passwd` in the archive is absolute"),
        (b"C:evil", "`C:evil` in the archive is absolute"),
        (b"..\\up", "has a backslash, expected / between folders"),
        (b"a\\b", "has a backslash"),
        (b"a//b", "`a//b` in the archive has an empty name"),
        (b"caf\xe9", "in the archive is not UTF-8"),
        (b"a\nb", "has a control character"),
        (b"a\x1b[2J", "has a control character"),
        ("a\u{85}b".as_bytes(), "has a control character"),
        (b"a/b/c/d/e", "lies in more than 3 folders"),
        (&[b'x'; 61], "has more than 60 bytes"),
        (b"x/__MACOSX/../../up", "has `..`"),
    ];
    for (name, expected) in cases {
        for problem in [zipped(stored(name, b"!")), tarred(name, EntryType::Regular, b"!")] {
            let shown = String::from_utf8_lossy(name);
            assert!(problem.starts_with("the path `"), "{shown}: {problem}");
            assert!(problem.contains(expected), "{shown}: {problem}");
        }
    }
    // A zip may have names that a tar cannot.
    assert!(zipped(stored("", b"!")).contains("is empty, expected a name"));
    assert!(zipped(stored("a\0b", b"!")).contains("has a control character"));
    let long = tar(|to| {
        append(to, b"bot.toml", EntryType::Regular, MANIFEST.as_bytes());
        append(to, b"././@LongLink", EntryType::GNULongName, b"../../up\0");
        append(to, b"harmless", EntryType::Regular, b"!");
    });
    assert!(refusal(&gz(&long), None).to_string().contains("`../../up` in the archive has `..`"));
    let pax = tar(|to| {
        append(to, b"bot.toml", EntryType::Regular, MANIFEST.as_bytes());
        to.append_pax_extensions([("path", b"/etc/passwd".as_slice())]).expect("in memory");
        append(to, b"harmless", EntryType::Regular, b"!");
    });
    assert!(refusal(&gz(&pax), None).to_string().contains("`/etc/passwd` in the archive is abs"));
}

#[test]
fn what_is_neither_a_file_nor_a_folder() {
    let modes = [
        (0o120_777, "a link"),
        (0o010_644, "a pipe"),
        (0o020_644, "a device"),
        (0o060_644, "a device"),
        (0o140_644, "a socket"),
    ];
    for (mode, what) in modes {
        let problem = zipped(Entry { mode, ..stored("x", b"/etc/passwd") });
        assert_eq!(
            problem,
            format!("`x` in the archive is {what}, expected files and folders alone")
        );
    }
    let kinds = [
        (EntryType::Symlink, "a link"),
        (EntryType::Link, "a link"),
        (EntryType::Fifo, "a pipe"),
        (EntryType::Char, "a device"),
        (EntryType::Block, "a device"),
        (EntryType::GNUSparse, "a file with holes"),
        (EntryType::new(b'V'), "of no known kind"),
    ];
    for (kind, what) in kinds {
        let problem = tarred(b"x", kind, b"");
        assert_eq!(
            problem,
            format!("`x` in the archive is {what}, expected files and folders alone")
        );
    }
    // A link that would be followed by the next file is never made.
    let through = tar(|to| {
        append(to, b"out", EntryType::Symlink, b"");
        append(to, b"out/x", EntryType::Regular, b"!");
    });
    assert!(refusal(&gz(&through), None).to_string().contains("`out` in the archive is a link"));
}

#[test]
fn names_that_come_twice() {
    let pairs = [
        ("a.py", "a.py", "`a.py` in the archive has the name of `a.py`"),
        ("a.py", "A.PY", "`A.PY` in the archive has the name of `a.py`"),
        ("a", "a/b", "`a` in the archive has the name of `a`"),
        ("a/b", "a", "`a` in the archive has the name of `a`"),
        ("a/b", "A/c", "`A` in the archive has the name of `a`"),
        ("σ", "ς", "`ς` in the archive has the name of `σ`"),
        ("\u{17e}", "z\u{30c}", "in the archive has the name of `\u{17e}`"),
        ("bot.toml", "x", "`bot.toml` in the archive has the name of `bot.toml`"),
        ("./b", "b", "`b` in the archive has the name of `b`"),
    ];
    for (one, other, expected) in pairs {
        let entries = [manifest(), stored(one, b"1"), stored(other, b"2")];
        let problem = refusal(&zip(&entries), None).to_string();
        assert!(problem.contains(expected), "{one} {other}: {problem}");
        let bytes = tar(|to| {
            for name in ["bot.toml", one, other] {
                append(to, name.as_bytes(), EntryType::Regular, MANIFEST.as_bytes());
            }
        });
        let problem = refusal(&gz(&bytes), None).to_string();
        assert!(problem.contains(expected), "{one} {other}: {problem}");
    }
}

#[test]
fn what_becomes_too_much() {
    let zeros = vec![0; 20 << 20];
    let bomb = zip(&[manifest(), deflated("zeros", &zeros)]);
    assert!(bomb.len() < 64 << 10);
    let told = refusal(&bomb, None).to_string();
    assert_eq!(
        told,
        "the archive unpacks to more than 100 times its own size, expected the files of the bot alone"
    );
    let full = zip(&[stored("bot.toml", b""), stored("zeros", &zeros[..(8 << 20) + 1])]);
    let told = refusal(&full, None).to_string();
    assert!(told.starts_with("the archive unpacks to more than 8.0 MiB, expected"), "{told}");
    let small = gz(&tar(|to| append(to, b"zeros", EntryType::Regular, &zeros[..5 << 20])));
    assert!(small.len() < 16 << 10);
    let told = refusal(&small, None).to_string();
    assert!(told.contains("unpacks to more than 1.0 MiB"), "{told}");
    let large = gz(&tar(|to| append(to, b"zeros", EntryType::Regular, &zeros)));
    assert!(refusal(&large, None).to_string().contains("unpacks to more than 100 times"));
    let noise: Vec<u8> =
        (0..20_000_u64).flat_map(|it| (it * it * 0x9e37_79b9).to_le_bytes()).collect();
    let some = zip(&[stored("noise", &noise[..20_000]), deflated("zeros", &zeros[..7 << 20])]);
    assert!(refusal(&some, None).to_string().contains("unpacks to more than 100 times its own"));
    // Skipped entries count as well.
    let passed = gz(&tar(|to| append(to, b".git/pack", EntryType::Regular, &zeros)));
    assert!(refusal(&passed, None).to_string().contains("unpacks to more than"));
    // Zeros behind the end.
    let behind = gz(&[tar(|to| append(to, b"x", EntryType::Regular, b"")), zeros.clone()].concat());
    assert!(refusal(&behind, None).to_string().contains("unpacks to more than"));
    // A size that is a lie.
    let lie = Entry { size: 10, ..deflated("zeros", &zeros) };
    let told = zipped(lie);
    assert!(told.starts_with("the archive is broken or cut off: "), "{told}");
    let long = vec![b'x'; (9 << 20) + 1];
    assert!(refusal(&long, None).to_string().starts_with("the file has more than 9.0 MiB"));
}

#[test]
fn many_files() {
    let many: Vec<Entry> = (0..201).map(|it| stored(format!("f{it}"), b"")).collect();
    let told =
        "the archive holds more than 200 files and folders, expected the files of the bot alone";
    assert_eq!(refusal(&zip(&many), None).to_string(), told);
    let many = tar(|to| {
        (0..100_000)
            .for_each(|it| append(to, format!("f{it}").as_bytes(), EntryType::Regular, b""));
    });
    assert_eq!(refusal(&gz(&many), None).to_string(), told);
    // Folders that are only named in paths count.
    let deep: Vec<Entry> = (0..100).map(|it| stored(format!("d{it}/f"), b"")).collect();
    let more: Vec<Entry> = (0..1).map(|it| stored(format!("e{it}/f"), b"")).collect();
    assert_eq!(refusal(&zip(&[deep, more].concat()), None).to_string(), told);
    // A directory of records that says less than it holds.
    let mut lie = zip(&(0..201).map(|it| stored(format!("f{it}"), b"")).collect::<Vec<_>>());
    let end = lie.len() - 22;
    lie[end + 8..end + 12].copy_from_slice(&[1, 0, 1, 0]);
    refusal(&lie, None);
    let extensions = tar(|to| {
        (0..300).for_each(|_| append(to, b"x", EntryType::GNULongName, b"x\0"));
    });
    assert_eq!(refusal(&gz(&extensions), None).to_string(), told);
}

#[test]
fn entries_that_cannot_be_read() {
    let locked = Entry { flags: 1, ..deflated("x", b"secret") };
    assert!(
        zipped(locked).starts_with("`x` in the archive is encrypted, expected an archive with")
    );
    let strange = Entry { method: 14, ..stored("x", b"?") };
    assert_eq!(zipped(strange), "`x` in the archive is compressed by 14 (lzma), expected deflate");
    let overlapping = Entry { at: Some(0), name: b"x".to_vec(), ..manifest() };
    assert!(zipped(overlapping).contains("overlaps with another entry"));
    let outside = Entry { at: Some(1 << 30), ..stored("x", b"?") };
    assert!(zipped(outside).starts_with("the archive is broken or cut off"));
    let wrong = Entry { sum: 1, ..stored("x", b"?") };
    assert!(zipped(wrong).starts_with("the archive is broken or cut off"));
    let garbage = Entry { method: 8, ..stored("x", b"\xff\xff\xff\xff") };
    assert!(zipped(garbage).starts_with("the archive is broken or cut off"));
    let sized = tar(|to| {
        to.append_pax_extensions([("size", b"3".as_slice())]).expect("in memory");
        append(to, b"x", EntryType::Regular, b"12345");
    });
    assert!(refusal(&gz(&sized), None).to_string().contains("`x` has two sizes"));
    let global = tar(|to| append(to, b"g", EntryType::XGlobalHeader, b"10 path=x\n"));
    assert!(refusal(&gz(&global), None).to_string().contains("one name or size"));
    let long = tar(|to| append(to, b"x", EntryType::GNULongName, &vec![b'x'; 100 << 10]));
    assert!(refusal(&gz(&long), None).to_string().contains("a header is too long"));
    let alone = tar(|to| append(to, b"x", EntryType::GNULongName, b"x\0"));
    assert!(refusal(&gz(&alone), None).to_string().contains("describes nothing"));
    let mut cut = tar(|to| append(to, b"x", EntryType::Regular, b"12345"));
    cut.truncate(512);
    assert!(refusal(&gz(&cut), None).to_string().contains("`x` is not whole"));
    let mut sum = tar(|to| append(to, b"x", EntryType::Regular, b"12345"));
    sum[0] ^= 1;
    assert!(refusal(&gz(&sum), None).to_string().contains("broken or cut off"));
    let huge = [header(b"x", EntryType::Regular, 1 << 40).as_bytes().to_vec(), vec![0; 1024]];
    assert!(refusal(&gz(&huge.concat()), None).to_string().contains("is not whole"));
}

#[test]
fn an_archive_that_is_cut_off_anywhere() {
    let entries = [manifest(), deflated("a", &[7; 3_000]), stored("b/c", b"some text\n")];
    let whole = [
        zip(&entries),
        gz(&tar(|to| {
            append(to, b"bot.toml", EntryType::Regular, MANIFEST.as_bytes());
            append(to, b"b/c", EntryType::Regular, b"some text\n");
        })),
    ];
    for bytes in whole {
        assert!(sent(&bytes, None).is_ok());
        for end in 4..bytes.len() {
            refusal(&bytes[..end], None);
        }
    }
}

#[test]
fn what_is_no_archive_and_no_source() {
    let told = |bytes: &[u8], file| refusal(bytes, file).to_string();
    assert_eq!(told(b"", None), "the file is empty, expected a .zip, a .tar.gz or a source");
    let signs: [(&[u8], &str); 6] = [
        (b"\x7fELF\x02\x01", "a program"),
        (b"MZ\x90", "a program"),
        (b"7z\xbc\xaf\x27\x1c", "an archive of 7-Zip"),
        (b"Rar!\x1a\x07\x01", "an archive of RAR"),
        (b"\xfd7zXZ\0", "compressed by xz"),
        (b"BZh91AY", "compressed by bzip2"),
    ];
    for (sign, what) in signs {
        let expected = format!("the file is {what}, expected a .zip, a .tar.gz or a source");
        assert_eq!(told(sign, Some("bot.zip")), expected);
    }
    let plain = tar(|to| append(to, b"bot.toml", EntryType::Regular, MANIFEST.as_bytes()));
    assert!(told(&plain, Some("bot.tar.gz")).contains("a .tar that is not compressed"));
    for bytes in [b"a\0b".as_slice(), b"\xff\xfe", b"\x89PNG\r\n"] {
        assert!(told(bytes, Some("bot.py")).contains("neither an archive nor text in UTF-8"));
    }
    assert!(told(b"print(1)", None).starts_with("a single source needs the name of its file"));
    for name in ["../bot.py", "a b.py", "-x.py", ".py", "bot;rm.py", "", "a\n.py", "/bot.py"] {
        assert!(told(b"print(1)", Some(name)).contains("is no name for a source"), "{name}");
    }
    for name in ["bot", "bot.txt", "bot.zip", "bot.toml", "bot.py.exe"] {
        let told = told(b"print(1)", Some(name));
        assert!(
            told.starts_with(&format!(
                "`{name}` is of no known language, expected one of .py, .js"
            ))
        );
    }
    assert!(told(&gz(b"print(1)"), Some("bot.py.gz")).contains("broken or cut off"));
}

#[test]
fn an_archive_without_a_manifest() {
    let expected = "the archive has no bot.toml, expected one at its top or in its only folder";
    let cases = [
        vec![],
        vec![stored("bot.py", b"1")],
        vec![stored("BOT.toml", b"1")],
        vec![stored("a/bot.toml", b"1"), stored("b/x", b"1")],
        vec![stored("a/b/bot.toml", b"1")],
        vec![stored("bot.toml/x", b"1")],
    ];
    for entries in cases {
        assert_eq!(refusal(&zip(&entries), None).to_string(), expected);
    }
    assert_eq!(refusal(&gz(&tar(|_| ())), None).to_string(), expected);
}

#[test]
fn a_hundred_thousand_files_are_not_even_looked_at() {
    let folder = TempDir::new().expect("a folder");
    // As many as a zip can have without extensions, within the usual bounds.
    let many: Vec<Entry> = (0..65_000).map(|it| stored(format!("f{it}"), b"")).collect();
    let upload = Upload { content: Cursor::new(zip(&many)), file: None, bot: "anna" };
    let problem = unpack(upload, folder.path(), Bounds::DEFAULT).expect_err("too many");
    assert!(problem.to_string().contains("more than 2000 files and folders"), "{problem}");
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
}
