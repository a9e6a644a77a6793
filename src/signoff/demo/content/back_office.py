"""What the Back office asked: photos for the shop, invoices, expenses, and whom to write to."""

from typing import Any, Final

from signoff.demo.content.newsroom import LAUNCH
from signoff.demo.content.people import EDDA, INES, JONAS, TOMAS
from signoff.demo.content.telling import OWNER, Case, Data, day, picture

PHOTOS: Final = "Product photos"
INVOICE: Final = "Invoice check"
EXPENSE: Final = "Expense"
INQUIRY: Final = "Wholesale inquiry"


def product(name: str, alt: str, *photos: str) -> Data:
    return {"product": name, "photos": [{"photo": picture(each)} for each in photos], "alt": alt}


def invoice(supplier: str, due: int, *lines: tuple[str, int, float], sure: float = 0.96) -> Data:
    return {
        "supplier": supplier,
        "due": day(due),
        "lines": [{"what": what, "pieces": pieces, "price": price} for what, pieces, price in lines],
        "raw": {"page": 1, "confidence": sure, "currency": "EUR"},
    }


def expense(merchant: str, amount: float, category: str, photo: str, *items: tuple[str, float]) -> Data:
    listed = [{"description": what, "amount": price} for what, price in items]
    spent = {"merchant": merchant, "date": day(-1), "amount": amount, "currency": "EUR", "category": category}
    return {"receipt": {"image_url": picture(photo)}, "expense": {**spent, "items": listed}}


def inquiry(company: str, contact: str, employees: int, summary: str, score: int, fit: str, message: str) -> Data:
    address = company.lower().replace(" ", "-").replace("&", "and").replace("é", "e")
    return {
        "lead": {
            "company": company,
            "website": f"https://{address}.example",
            "contact_name": contact,
            "email": f"hello@{address}.example",
            "employees": employees,
        },
        "research": {"summary": summary, "score": score, "fit": fit},
        "outreach": {"message": message},
    }


_NORTH: Final[dict[str, Any]] = {"owner": "north"}
_PARTNERS: Final[dict[str, Any]] = {"owner": "partners"}

PRODUCTS: Final = (
    Case(PHOTOS, product("Tea mug, rust", "A rust-red mug on a wooden table", "mug-0", "mug-4", "bowl"), run=LAUNCH),
    Case(PHOTOS, product("Tea mug, moss", "A green mug on a wooden table", "mug-4", "mug-1")),
    Case(
        PHOTOS,
        product("Espresso cup, sun", "A cup", "mug-2", "mug-3"),
        edits={"alt": "A small yellow cup with a wide handle, on a wooden table"},
    ),
    Case(
        PHOTOS,
        product("Breakfast bowl, night", "A deep blue bowl, empty, waiting for porridge", "bowl", "mug-3"),
        by=INES,
    ),
    Case(
        PHOTOS,
        product("Vase, tall", "A vase", "vase", "workshop"),
        ends="rejected",
        by=INES,
        reason="The second photo is the workshop with my lunch in it.",
    ),
    Case(PHOTOS, product("Latte mug, berry", "A berry-red mug seen from the side", "mug-5", "mug-0"), taken=True),
    Case(
        PHOTOS,
        product("Teapot, patient", "A teapot that has seen things", "vase", "bowl"),
        edits={"alt": "A round teapot with a bamboo handle"},
        by=JONAS,
    ),
    Case(PHOTOS, product("Plate, almost round", "A plate on linen", "bowl"), by=TOMAS),
    Case(
        PHOTOS,
        product("Mug, new blue", "A mug in the new blue, number 187", "mug-1", "before-after"),
        ends=None,
        hours_ago=2.4,
    ),
)

INVOICES: Final = (
    Case(INVOICE, invoice("Westerwald Clay", 14, ("Stoneware clay, 25 kg", 12, 31.5), ("Delivery", 1, 48)), by=EDDA),
    Case(INVOICE, invoice("Kiln & Sons", 30, ("Thermocouple, type S", 2, 86)), by=EDDA),
    Case(
        INVOICE,
        invoice("Northern Oxides", 10, ("Cobalt oxide, 1 kg", 1, 64), ("Iron oxide, 5 kg", 1, 19)),
        by="auto-approve",
    ),
    Case(INVOICE, invoice("Papier Lindner", 7, ("Tissue paper, 1000 sheets", 3, 22.4)), by="auto-approve"),
    Case(
        INVOICE,
        invoice("Freight 48", 14, ("Pallet to Hamburg", 1, 180), ("Fuel surchange", 1, 21.6), sure=0.71),
        edits={
            "lines": [
                {"what": "Pallet to Hamburg", "pieces": 1, "price": 180},
                {"what": "Fuel surcharge", "pieces": 1, "price": 12.6},
            ]
        },
        by=EDDA,
    ),
    Case(
        INVOICE,
        invoice("Westerwald Clay", 14, ("Stoneware clay, 25 kg", 120, 31.5), sure=0.63),
        edits={"lines": [{"what": "Stoneware clay, 25 kg", "pieces": 12, "price": 31.5}]},
        reason="Twelve, not a hundred and twenty. We would have to move out.",
        by=JONAS,
    ),
    Case(INVOICE, invoice("City Water", 21, ("Water, third quarter", 1, 143.2)), by="auto-approve"),
    Case(
        INVOICE,
        invoice("Global Directory Ltd", 3, ("Entry in the register of potters", 1, 890), sure=0.99),
        ends="rejected",
        by=EDDA,
        reason="There is no register of potters. This is the same trick as last year.",
    ),
    Case(INVOICE, invoice("Northern Oxides", 10, ("Copper carbonate, 2 kg", 2, 38)), by="auto-approve"),
    Case(INVOICE, invoice("Kiln & Sons", 30, ("Fire bricks", 60, 7.9), ("Fitting", 6, 55)), by=EDDA, taken=True),
    Case(INVOICE, invoice("Freight 48", 14, ("Twelve parcels", 12, 6.3)), by="auto-approve"),
    Case(
        INVOICE,
        invoice("Papier Lindner", 9, ("Straw, loose", 40, 3.2), ("Boxes, medium", 200, 0.74), sure=0.82),
        ends=None,
        asked=(OWNER,),
        hours_ago=3.1,
    ),
)

EXPENSES: Final = (
    Case(
        EXPENSE, expense("Kiosk at the station", 11.8, "meals", "receipt-1", ("Two rolls", 7.8), ("Coffee", 4)), by=EDDA
    ),
    Case(EXPENSE, expense("Hotel Adler", 212, "travel", "receipt-2", ("Two nights, ceramics fair", 212)), by=EDDA),
    Case(
        EXPENSE,
        expense("Brush House", 94.5, "other", "receipt-3", ("Glaze brushes", 94.5)),
        edits={"expense": {"category": "equipment"}},
        by=EDDA,
    ),
    Case(EXPENSE, expense("Regional trains", 38.4, "travel", "receipt-1", ("Return ticket", 38.4)), by=JONAS),
    Case(
        EXPENSE,
        expense("Cat & Co", 27.9, "equipment", "receipt-2", ("Cushion, large", 27.9)),
        ends="rejected",
        by=EDDA,
        reason="The cat is not equipment. Nice try, Tomas.",
    ),
    Case(
        EXPENSE,
        expense("Wheel Works", 640, "equipment", "receipt-3", ("Motor for the second wheel", 640)),
        edits={"reason": "The old motor smoked, and then it did not even smoke any more."},
        by=EDDA,
    ),
    Case(EXPENSE, expense("Almond stall", 18, "meals", "receipt-1", ("Six bags", 18)), by=JONAS),
    Case(
        EXPENSE,
        expense("Paint Corner", 46.2, "equipment", "receipt-3", ("Sign for stall 14", 64.2)),
        edits={"expense": {"amount": 64.2}},
        by=EDDA,
    ),
    Case(EXPENSE, expense("Fuel 24", 71.3, "travel", "receipt-2", ("Diesel", 71.3)), ends=None, hours_ago=26),
)

INQUIRIES: Final = (
    Case(
        INQUIRY,
        inquiry(
            "Hotel Seeblick",
            "Ida Sommer",
            60,
            "Forty rooms, renovating, **wants tableware from the region**.",
            84,
            "good",
            "Dear Ida,\n\nI read about your new breakfast room. May we bring two cups and a bowl?",
        ),
        edits=_NORTH,
    ),
    Case(
        INQUIRY,
        inquiry(
            "Mugs and More",
            "Kai Petersen",
            900,
            "Chain with 120 shops, sells mugs from **2.99 €**.",
            31,
            "poor",
            "Dear Kai,\n\nlet us talk about volume!",
        ),
        edits={"why_not": "budget"},
        by=EDDA,
    ),
    Case(
        INQUIRY,
        inquiry(
            "Café Lotte",
            "Lotte Maier",
            7,
            "Opens a second café in spring, *no chipped cups* says her website.",
            72,
            "good",
            "Dear Lotte,\n\nwe hear that you do not like chipped cups. Neither do we.",
        ),
        edits={
            **_NORTH,
            "outreach": {"message": "Dear Lotte,\n\nyour second café needs cups, and we make some. Shall I come by?"},
        },
        by=JONAS,
    ),
    Case(
        INQUIRY,
        inquiry(
            "Museum of Salt",
            "Dr. Anne Weiss",
            25,
            "Shop with **local crafts**, looks for salt cellars.",
            66,
            "maybe",
            "Dear Dr. Weiss,\n\nwe have never made a salt cellar, and would love to.",
        ),
        edits=_PARTNERS,
    ),
    Case(
        INQUIRY,
        inquiry(
            "Moon Spa",
            "Luna Grey",
            18,
            "Wants 300 bowls *charged by moonlight*.",
            58,
            "maybe",
            "Dear Luna,\n\nour kiln runs at night, which may count.",
        ),
        ends="rejected",
        by=INES,
        reason="I do not want to find out how one proves that a bowl is charged.",
    ),
    Case(
        INQUIRY,
        inquiry(
            "Tea House Yun",
            "Yun Zhao",
            12,
            "Serves **nine kinds of oolong**; asks for cups of 60 ml.",
            91,
            "good",
            "Dear Yun,\n\n60 ml is smaller than anything we make, and exactly what Ines wants to try.",
        ),
        ends=None,
        asked=(EDDA,),
        hours_ago=5.5,
    ),
)

CASES: Final = (*PRODUCTS, *INVOICES, *EXPENSES, *INQUIRIES)
