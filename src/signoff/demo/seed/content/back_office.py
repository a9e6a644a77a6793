"""Reviews of the Back office agent: product photos, invoices, expenses and wholesale leads."""

from typing import Any, Final

from signoff.demo.seed.content.models import OWNER, Data, SeedReview, day, picture
from signoff.demo.seed.content.newsroom import LAUNCH
from signoff.demo.seed.content.users import EDDA, INES, JONAS, TOMAS

PHOTOS: Final = "Product photos"
INVOICE: Final = "Invoice approval"
EXPENSE: Final = "Expense"
INQUIRY: Final = "Wholesale lead"


def product(name: str, alt: str, *photos: str) -> Data:
    return {"product": name, "photos": [{"photo": picture(each)} for each in photos], "alt": alt}


def invoice(supplier: str, due: int, *lines: tuple[str, int, float], sure: float = 0.96) -> Data:
    return {
        "supplier": supplier,
        "due": day(due),
        "lines": [{"what": what, "pieces": pieces, "price": price} for what, pieces, price in lines],
        "raw": {"page": 1, "confidence": sure, "currency": "USD"},
    }


def expense(merchant: str, amount: float, category: str, photo: str, *items: tuple[str, float]) -> Data:
    listed = [{"description": what, "amount": price} for what, price in items]
    spent = {"merchant": merchant, "date": day(-1), "amount": amount, "currency": "USD", "category": category}
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
    SeedReview(
        PHOTOS, product("Tea mug, rust", "A rust-red mug on a wooden table", "mug-0", "mug-4", "bowl"), run=LAUNCH
    ),
    SeedReview(PHOTOS, product("Tea mug, moss", "A green mug on a wooden table", "mug-4", "mug-1")),
    SeedReview(
        PHOTOS,
        product("Espresso cup, sun", "A cup", "mug-2", "mug-3"),
        edits={"alt": "A small yellow cup with a wide handle, on a wooden table"},
    ),
    SeedReview(
        PHOTOS,
        product("Breakfast bowl, midnight", "A deep blue bowl, empty and waiting for oatmeal", "bowl", "mug-3"),
        by=INES,
    ),
    SeedReview(
        PHOTOS,
        product("Vase, tall", "A vase", "vase", "workshop"),
        ends="rejected",
        by=INES,
        reason="The second photo shows the workshop. And my lunch.",
    ),
    SeedReview(
        PHOTOS, product("Latte mug, berry", "A berry-red mug seen from the side", "mug-5", "mug-0"), is_taken=True
    ),
    SeedReview(
        PHOTOS,
        product("Teapot, patient", "A teapot that has seen things", "vase", "bowl"),
        edits={"alt": "A round teapot with a bamboo handle"},
        by=JONAS,
    ),
    SeedReview(PHOTOS, product("Plate, almost round", "A plate on linen", "bowl"), by=TOMAS),
    SeedReview(
        PHOTOS,
        product("Mug, new blue", "A mug in the new blue, number 187", "mug-1", "before-after"),
        ends=None,
        hours_ago=2.4,
    ),
)

INVOICES: Final = (
    SeedReview(
        INVOICE, invoice("Ridgeline Clay", 14, ("Stoneware clay, 50 lb", 12, 31.5), ("Shipping", 1, 48)), by=EDDA
    ),
    SeedReview(INVOICE, invoice("Kiln & Sons", 30, ("Thermocouple, type S", 2, 86)), by=EDDA),
    SeedReview(
        INVOICE,
        invoice("Northern Oxides", 10, ("Cobalt oxide, 2 lb", 1, 64), ("Iron oxide, 10 lb", 1, 19)),
        by="auto-approve",
    ),
    SeedReview(INVOICE, invoice("Linden Paper Co.", 7, ("Tissue paper, 1000 sheets", 3, 22.4)), by="auto-approve"),
    SeedReview(
        INVOICE,
        invoice("Freight 48", 14, ("Pallet to Portland", 1, 180), ("Fuel surchange", 1, 21.6), sure=0.71),
        edits={
            "lines": [
                {"what": "Pallet to Portland", "pieces": 1, "price": 180},
                {"what": "Fuel surcharge", "pieces": 1, "price": 12.6},
            ]
        },
        by=EDDA,
    ),
    SeedReview(
        INVOICE,
        invoice("Ridgeline Clay", 14, ("Stoneware clay, 50 lb", 120, 31.5), sure=0.63),
        edits={"lines": [{"what": "Stoneware clay, 50 lb", "pieces": 12, "price": 31.5}]},
        reason="12, not 120. We'd have to move out.",
        by=JONAS,
    ),
    SeedReview(INVOICE, invoice("City Water", 21, ("Water, Q3", 1, 143.2)), by="auto-approve"),
    SeedReview(
        INVOICE,
        invoice("Global Directory Inc.", 3, ("Listing in the National Potters Registry", 1, 890), sure=0.99),
        ends="rejected",
        by=EDDA,
        reason="There's no such registry. Same scam as last year.",
    ),
    SeedReview(INVOICE, invoice("Northern Oxides", 10, ("Copper carbonate, 5 lb", 2, 38)), by="auto-approve"),
    SeedReview(
        INVOICE, invoice("Kiln & Sons", 30, ("Fire bricks", 60, 7.9), ("Fitting", 6, 55)), by=EDDA, is_taken=True
    ),
    SeedReview(INVOICE, invoice("Freight 48", 14, ("Shipping, 12 packages", 12, 6.3)), by="auto-approve"),
    SeedReview(
        INVOICE,
        invoice("Linden Paper Co.", 9, ("Straw, loose", 40, 3.2), ("Boxes, medium", 200, 0.74), sure=0.82),
        ends=None,
        assignees=(OWNER,),
        hours_ago=3.1,
    ),
)

EXPENSES: Final = (
    SeedReview(
        EXPENSE, expense("Station Coffee", 11.8, "meals", "receipt-1", ("Two bagels", 7.8), ("Coffee", 4)), by=EDDA
    ),
    SeedReview(
        EXPENSE,
        expense("The Harbor Hotel", 212, "travel", "receipt-2", ("Room, 2 nights (ceramics fair)", 212)),
        by=EDDA,
    ),
    SeedReview(
        EXPENSE,
        expense("Brush House", 94.5, "other", "receipt-3", ("Glaze brushes", 94.5)),
        edits={"expense": {"category": "equipment"}},
        by=EDDA,
    ),
    SeedReview(EXPENSE, expense("Regional Rail", 38.4, "travel", "receipt-1", ("Round-trip ticket", 38.4)), by=JONAS),
    SeedReview(
        EXPENSE,
        expense("Cat & Co", 27.9, "equipment", "receipt-2", ("Cat bed, large", 27.9)),
        ends="rejected",
        by=EDDA,
        reason="The cat isn't equipment. Nice try, Tomas.",
    ),
    SeedReview(
        EXPENSE,
        expense("Wheel Works", 640, "equipment", "receipt-3", ("Motor for the second wheel", 640)),
        edits={"reason": "The old motor started smoking. Then it stopped doing even that."},
        by=EDDA,
    ),
    SeedReview(EXPENSE, expense("Roasted Almonds", 18, "meals", "receipt-1", ("Six bags", 18)), by=JONAS),
    SeedReview(
        EXPENSE,
        expense("Paint Corner", 46.2, "equipment", "receipt-3", ("Sign for stall 14", 64.2)),
        edits={"expense": {"amount": 64.2}},
        by=EDDA,
    ),
    SeedReview(EXPENSE, expense("Fuel 24", 71.3, "travel", "receipt-2", ("Diesel", 71.3)), ends=None, hours_ago=26),
)

INQUIRIES: Final = (
    SeedReview(
        INQUIRY,
        inquiry(
            "Lakeview Hotel",
            "Ida Summers",
            60,
            "40 rooms, renovating, **looking for local tableware**.",
            84,
            "good",
            "Hi Ida,\n\nI read about your new breakfast room. Could we drop off two cups and a bowl?",
        ),
        edits=_NORTH,
    ),
    SeedReview(
        INQUIRY,
        inquiry(
            "Mugs and More",
            "Kai Petersen",
            900,
            "Chain with 120 stores, sells mugs from **$2.99**.",
            31,
            "poor",
            "Hi Kai,\n\nLet's talk volume!",
        ),
        edits={"why_not": "budget"},
        by=EDDA,
    ),
    SeedReview(
        INQUIRY,
        inquiry(
            "Café Lotte",
            "Lotte Maier",
            7,
            "Opening a second café this spring. Her website says *no chipped cups*.",
            72,
            "good",
            "Hi Lotte,\n\nI hear you don't like chipped cups. Neither do we.",
        ),
        edits={
            **_NORTH,
            "outreach": {
                "message": "Hi Lotte,\n\nYour second café will need cups, and we make good ones. Can I stop by?"
            },
        },
        by=JONAS,
    ),
    SeedReview(
        INQUIRY,
        inquiry(
            "Museum of Salt",
            "Dr. Anne Weiss",
            25,
            "Gift shop with **local crafts**, looking for salt cellars.",
            66,
            "maybe",
            "Hi Dr. Weiss,\n\nWe've never made a salt cellar, and we'd love to.",
        ),
        edits=_PARTNERS,
    ),
    SeedReview(
        INQUIRY,
        inquiry(
            "Moon Spa",
            "Luna Grey",
            18,
            "Wants 300 bowls *charged by moonlight*.",
            58,
            "maybe",
            "Hi Luna,\n\nOur kiln runs at night, which might count.",
        ),
        ends="rejected",
        by=INES,
        reason="I don't want to find out how you prove a bowl is charged.",
    ),
    SeedReview(
        INQUIRY,
        inquiry(
            "Tea House Yun",
            "Yun Zhao",
            12,
            "Serves **nine kinds of oolong** and needs 2 oz cups.",
            91,
            "good",
            "Hi Yun,\n\n2 oz is smaller than anything we make, and exactly what Ines wants to try.",
        ),
        ends=None,
        assignees=(EDDA,),
        hours_ago=5.5,
    ),
)

CASES: Final = (*PRODUCTS, *INVOICES, *EXPENSES, *INQUIRIES)
