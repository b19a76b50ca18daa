import { stemsOf } from './words.ts';

/** The icon of a cluster that no rule knows. */
export const usualIcon = 'comments';

/** Icon (as GitBook names them, by Font Awesome) → words that speak of it; the first rows win a draw. */
const table: readonly (readonly [icon: string, words: string])[] = [
  ['key', 'password passcode pin login signin credential token secret otp 2fa sso authentication'],
  ['shield-halved', 'security fraud stolen compromised hacked unauthorized phishing scam'],
  ['user-check', 'identity verify verification kyc identification'],
  ['credit-card', 'card debit visa mastercard cvv'],
  ['money-bill-transfer', 'transfer exchange currency wire remittance beneficiary recipient'],
  ['money-bill', 'cash atm withdrawal withdraw money salary top-up topup deposit balance'],
  ['rotate-left', 'refund return revert chargeback reimburse'],
  [
    'file-invoice-dollar',
    'invoice bill billing charge fee price pricing payment pay cost expense receipt statement tax vat',
  ],
  ['truck', 'delivery deliver shipping shipment parcel package courier arrive tracking'],
  ['cart-shopping', 'order purchase buy checkout cart shop'],
  ['pizza-slice', 'pizza'],
  ['burger', 'burger sandwich fries meal restaurant food'],
  ['plane', 'flight airline airport boarding plane ticket seat travel passenger'],
  ['calendar', 'schedule appointment booking reservation date calendar'],
  ['wifi', 'internet wifi cable broadband network connection vpn proxy'],
  ['mobile-screen', 'phone mobile iphone android screen device smartphone'],
  ['server', 'server outage uptime downtime hosting deploy deployment'],
  ['bug', 'error bug crash exception broken fail failure'],
  ['gauge', 'slow performance latency speed timeout'],
  ['plug', 'integration webhook plugin connector extension'],
  ['code', 'api sdk code script json endpoint library'],
  ['database', 'database backup data export import sync storage'],
  ['globe', 'domain dns website site language translation country'],
  ['magnifying-glass', 'search find filter'],
  ['file-lines', 'document page article docs documentation pdf file upload attachment'],
  ['envelope', 'email mail inbox message notification sms'],
  ['users', 'team member invite role permission guest collaborator'],
  ['user', 'account profile username address name registration'],
  ['rotate', 'update upgrade version install installation release'],
  ['ban', 'cancel close delete terminate unsubscribe'],
  ['umbrella', 'insurance claim policy coverage'],
  ['gift', 'offer promotion coupon discount reward voucher'],
  ['gear', 'setting configuration configure option preference'],
];

const byStem: ReadonlyMap<string, number> = new Map(
  table.flatMap(([, words], row) => stemsOf(words).map((stem) => [stem, row] as const)).toReversed(),
);

/** Every icon that a cluster can have. */
export const icons: readonly string[] = [...table.map(([icon]) => icon), usualIcon];

/** The icon that most of these texts speak of, weighed by how rare each word is; a label counts for as much as the caller repeats it. */
export function iconOf(texts: readonly string[], rarity: (stem: string) => number): string {
  const scores = new Map<number, number>();
  for (const text of texts)
    for (const stem of new Set(stemsOf(text))) {
      const row = byStem.get(stem);
      if (row !== undefined) scores.set(row, (scores.get(row) ?? 0) + rarity(stem));
    }
  const best = [...scores].sort(([one, score], [other, more]) => more - score || one - other)[0];
  return best === undefined ? usualIcon : table[best[0]]![0];
}
