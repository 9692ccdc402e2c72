//! Archives byte by byte, also such as no program would write.

#![allow(dead_code, unreachable_pub, reason = "two packages use some of it")]

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::DeflateEncoder;
use flate2::write::GzEncoder;

/// An entry of a zip, as it stands there.
#[derive(Clone)]
pub struct Entry {
    pub name: Vec<u8>,
    /// The stored bytes, which may be compressed.
    pub bytes: Vec<u8>,
    pub size: u32,
    pub sum: u32,
    pub method: u16,
    pub flags: u16,
    /// As on Unix.
    pub mode: u32,
    /// Offset of its local header, if it is elsewhere.
    pub at: Option<u32>,
}

/// An entry that is stored as it is.
pub fn stored(name: impl AsRef<[u8]>, content: &[u8]) -> Entry {
    Entry {
        name: name.as_ref().to_vec(),
        bytes: content.to_vec(),
        size: content.len() as u32,
        sum: sum(content),
        method: 0,
        flags: 0,
        mode: 0o100_644,
        at: None,
    }
}

pub fn deflated(name: impl AsRef<[u8]>, content: &[u8]) -> Entry {
    let mut bytes = Vec::new();
    DeflateEncoder::new(content, Compression::best()).read_to_end(&mut bytes).expect("in memory");
    Entry { bytes, method: 8, ..stored(name, content) }
}

fn sum(content: &[u8]) -> u32 {
    let mut sum = flate2::Crc::new();
    sum.update(content);
    sum.sum()
}

pub fn zip(entries: &[Entry]) -> Vec<u8> {
    let (mut file, mut directory) = (Vec::new(), Vec::new());
    let two = |to: &mut Vec<u8>, value: u16| to.extend(value.to_le_bytes());
    let four = |to: &mut Vec<u8>, value: u32| to.extend(value.to_le_bytes());
    for entry in entries {
        let common = |to: &mut Vec<u8>| {
            two(to, 20);
            two(to, entry.flags);
            two(to, entry.method);
            four(to, 0);
            four(to, entry.sum);
            four(to, entry.bytes.len() as u32);
            four(to, entry.size);
            two(to, entry.name.len() as u16);
            two(to, 0);
        };
        let at = entry.at.unwrap_or(file.len() as u32);
        if entry.at.is_none() {
            file.extend(b"PK\x03\x04");
            common(&mut file);
            file.extend(&entry.name);
            file.extend(&entry.bytes);
        }
        directory.extend(b"PK\x01\x02");
        two(&mut directory, 3 << 8 | 20);
        common(&mut directory);
        for _ in 0..3 {
            two(&mut directory, 0);
        }
        four(&mut directory, entry.mode << 16);
        four(&mut directory, at);
        directory.extend(&entry.name);
    }
    let at = file.len() as u32;
    let length = directory.len() as u32;
    file.extend(directory);
    file.extend(b"PK\x05\x06\0\0\0\0");
    two(&mut file, entries.len() as u16);
    two(&mut file, entries.len() as u16);
    four(&mut file, length);
    four(&mut file, at);
    two(&mut file, 0);
    file
}

pub fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).expect("in memory");
    encoder.finish().expect("in memory")
}

/// An entry of a tar of this kind, with its name and size as they stand.
pub fn tar_entry(name: &str, kind: u8, content: &[u8]) -> Vec<u8> {
    let mut header = [0; 512];
    let mut put = |at: usize, field: &str| {
        header[at..at + field.len()].copy_from_slice(field.as_bytes());
    };
    put(0, name);
    put(100, "0000644\0");
    put(124, &format!("{:011o}\0", content.len()));
    put(148, "        ");
    put(257, "ustar\x0000");
    header[156] = kind;
    let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
    header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    let padding = vec![0; content.len().next_multiple_of(512) - content.len()];
    [&header[..], content, &padding].concat()
}
