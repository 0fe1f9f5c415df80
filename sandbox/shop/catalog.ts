/** What the two sandbox shops sell. Prices are in minor units of the shop's own currency. */

export interface Product {
  readonly sku: string;
  readonly title: string;
  readonly priceMinor: number;
  readonly finalSale?: boolean;
}

export const NORTHWIND_PRODUCTS: readonly Product[] = [
  { sku: "NW-JKT-TRAIL", title: "Trail jacket", priceMinor: 8900 },
  { sku: "NW-SCK-WOOL", title: "Wool socks", priceMinor: 1200 },
  { sku: "NW-SHL-RAIN", title: "Rain shell", priceMinor: 12900 },
  { sku: "NW-BASE-MER", title: "Merino base layer", priceMinor: 6400 },
  { sku: "NW-BAG-CANVAS", title: "Canvas backpack", priceMinor: 5800 },
  { sku: "NW-LMP-HEAD", title: "Headlamp", priceMinor: 4000 },
  { sku: "NW-GLV-FLC", title: "Fleece gloves", priceMinor: 2450 },
  { sku: "NW-HAT-SUN", title: "Sun hat", priceMinor: 3500 },
  { sku: "NW-TENT-2P", title: "Two-person tent", priceMinor: 24900 },
  { sku: "NW-BTL-STEEL", title: "Steel bottle", priceMinor: 2799 },
  { sku: "NW-PNT-HIKE", title: "Hiking trousers", priceMinor: 7990 },
  { sku: "NW-BLT-OUTLET", title: "Outlet belt", priceMinor: 1500, finalSale: true },
];

export const KESTREL_PRODUCTS: readonly Product[] = [
  { sku: "KA-HP-STUDIO", title: "Studio headphones", priceMinor: 14900 },
  { sku: "KA-CBL-JACK", title: "Headphone cable", priceMinor: 1900 },
  { sku: "KA-SPK-SHELF", title: "Bookshelf speaker", priceMinor: 22900 },
  { sku: "KA-EAR-BUDS", title: "Wireless earbuds", priceMinor: 7990 },
  { sku: "KA-TT-BELT", title: "Belt-drive turntable", priceMinor: 34900 },
  { sku: "KA-AMP-MINI", title: "Mini amplifier", priceMinor: 12990 },
  { sku: "KA-STD-DESK", title: "Desk stand", priceMinor: 2450 },
  { sku: "KA-PAD-EAR", title: "Ear pads", priceMinor: 1990, finalSale: true },
  { sku: "KA-DAC-USB", title: "USB converter", priceMinor: 9900 },
];

export const FIRST_NAMES =
  "Mara Jonas Priya Luis Hana Oskar Noor Emil Clara Ravi Ines Tomas Yuki Farah Nils Greta Omar Lucia Sven Amara".split(
    " ",
  );
export const LAST_NAMES =
  "Lindqvist Moreau Tanaka Okafor Silva Novak Haddad Weber Rossi Jensen Kowalski Dubois Ito Mensah Larsen Costa".split(
    " ",
  );
