"""Multipart forms, however they are split on their way."""

import itertools
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from signoff.media.multipart import FormReader, parse_file_name
from signoff.media.temp_files import TempFiles
from signoff.platform.errors import BadRequest, PayloadTooLarge
from signoff.platform.settings import load_settings

BODY = (
    b'--frontier\r\nContent-Disposition: form-data; name="config"\r\n\r\n{"width": 5}\r\n'
    b'--frontier\r\nContent-Disposition: form-data; name="a"; filename="one.png"\r\nContent-Type: image/png\r\n\r\n'
    b"first\r\n--frontie\r\nfile\r\n"
    b'--frontier\r\nContent-Disposition: form-data; name="note"\r\n\r\nnobody reads this\r\n'
    b'--frontier\r\nContent-Disposition: form-data; name="a"; filename="two.png"\r\n\r\n\r\n'
    b"--frontier--\r\n"
)
CONTENT_TYPE = "multipart/form-data; boundary=frontier"


@pytest.fixture(scope="module")
def work_folder(tmp_path_factory: pytest.TempPathFactory) -> TempFiles:
    return TempFiles(load_settings(data_dir=tmp_path_factory.mktemp("forms")))


def read(
    temp_files: TempFiles, *pieces: bytes, content_type: str = CONTENT_TYPE
) -> tuple[list[tuple[str, bytes]], bytes | None]:
    with ExitStack() as until_done:
        reader = FormReader(content_type, temp_files, 1000, until_done)
        for piece in pieces:
            reader.write(piece)
        form = reader.finish()
        paths = [file.path for file in form.files]
        files = [(file.name, file.path.read_bytes()) for file in form.files]
        assert [file.size for file in form.files] == [len(content) for _, content in files]
    assert not any(path.exists() for path in paths)
    return files, form.config


WHOLE = ([("one.png", b"first\r\n--frontie\r\nfile"), ("two.png", b"")], b'{"width": 5}')


class TestPieces:
    def test_whole(self, work_folder: TempFiles) -> None:
        assert read(work_folder, BODY) == WHOLE

    def test_byte_by_byte(self, work_folder: TempFiles) -> None:
        assert read(work_folder, *(BODY[at : at + 1] for at in range(len(BODY)))) == WHOLE

    @settings(max_examples=60)
    @given(cuts=st.lists(st.integers(0, len(BODY)), max_size=12))
    def test_cut_anywhere(self, work_folder: TempFiles, cuts: list[int]) -> None:
        edges = [0, *sorted(cuts), len(BODY)]
        assert read(work_folder, *(BODY[start:end] for start, end in itertools.pairwise(edges))) == WHOLE

    @settings(max_examples=60)
    @given(end=st.integers(0, len(BODY) - 5))
    def test_interrupted_anywhere(self, work_folder: TempFiles, end: int) -> None:
        with pytest.raises(BadRequest):
            read(work_folder, BODY[:end])

    @settings(max_examples=100)
    @given(noise=st.binary(max_size=300), at=st.integers(0, len(BODY)))
    def test_any_bytes_are_read_or_rejected(self, work_folder: TempFiles, noise: bytes, at: int) -> None:
        with suppress(BadRequest, PayloadTooLarge):
            read(work_folder, BODY[:at] + noise + BODY[at:])

    @settings(max_examples=50)
    @given(content=st.binary(max_size=999))
    def test_content_is_kept(self, work_folder: TempFiles, content: bytes) -> None:
        body = b'--x7Q\r\nContent-Disposition: form-data; name="a"; filename="b"\r\n\r\n' + content + b"\r\n--x7Q--\r\n"
        files, _ = read(work_folder, body, content_type='multipart/form-data; charset=utf-8; boundary="x7Q"')
        assert files == [("b", content)]


class TestNames:
    @pytest.mark.parametrize(
        ("sent", "name"),
        [
            ("plain.png", "plain.png"),
            ("../../etc/passwd", "passwd"),
            ("/etc/shadow", "shadow"),
            ("C:\\\\Users\\\\me\\\\photo.jpg", "photo.jpg"),
            ("..\\\\..\\\\boot.ini", "boot.ini"),
            ("Übersicht 図.png", "Übersicht 図.png"),
            ('with \\"quotes\\".png', 'with "quotes".png'),
            ("tab\tand\x07bell.png", "tabandbell.png"),
            ("turned\u202egnp.exe", "turnedgnp.exe"),
            ("a" * 300 + ".png", "a" * 255),
            ("", "file"),
            ("..", "file"),
            ("folder/", "file"),
            ("   ", "file"),
        ],
    )
    def test_is_harmless(self, sent: str, name: str) -> None:
        assert parse_file_name(f'form-data; name="a"; filename="{sent}"'.encode()) == name

    def test_extended_form(self) -> None:
        assert parse_file_name(b"form-data; name=a; filename*=UTF-8''%C3%BCber%20%2Fetc%2Fall.png") == "all.png"

    def test_none_is_a_plain_field(self) -> None:
        assert parse_file_name(b'form-data; name="a"') is None

    def test_invalid_utf8(self) -> None:
        assert parse_file_name(b'form-data; name="a"; filename="\xff\xfe.png"') == "\ufffd\ufffd.png"


class TestWorkFolder:
    def test_files_of_a_dead_process_are_removed(self, tmp_path: Path) -> None:
        left = tmp_path / "incoming" / "tmpleft"
        left.mkdir(parents=True)
        (left / "half").write_bytes(b"half a file")
        living = TempFiles(load_settings(data_dir=tmp_path))
        assert not left.exists()
        with living.file() as file:
            TempFiles(load_settings(data_dir=tmp_path))
            assert file.exists()
            assert file.stat().st_mode & 0o777 == 0o600
            assert file.parent.stat().st_mode & 0o777 == 0o700
        assert not file.exists()
        living.close()
        assert not file.parent.exists()

    def test_without_a_data_directory(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
        temp_files = TempFiles(load_settings(data_dir=tmp_path / "missing"))
        with temp_files.file() as file:
            assert tmp_path in file.parents
        assert not (tmp_path / "missing").exists()
        temp_files.close()
