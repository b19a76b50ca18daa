import { stemsOf } from './words.ts';

/** The icon of a cluster that no row of the table matches. */
export const defaultIcon = 'comments';

/** Icons (names of Font Awesome, as in GitBook) with their words. Of equal matches, the first row wins. */
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

const iconsByStem: ReadonlyMap<string, string> = new Map(
  table.flatMap(([icon, words]) => stemsOf(words).map((stem) => [stem, icon] as const)).toReversed(),
);

/** All icons that a cluster can have. */
export const icons: readonly string[] = [...table.map(([icon]) => icon), defaultIcon];

/** Returns the icon whose words are most frequent in the texts, weighted by rarity. */
export function pickIcon(texts: readonly string[], rarity: (stem: string) => number): string {
  const scores = new Map<string, number>();
  for (const text of texts)
    for (const stem of new Set(stemsOf(text))) {
      const icon = iconsByStem.get(stem);
      if (icon !== undefined) scores.set(icon, (scores.get(icon) ?? 0) + rarity(stem));
    }
  const scoreOf = (icon: string) => scores.get(icon) ?? 0;
  return icons.reduce((best, icon) => (scoreOf(icon) > scoreOf(best) ? icon : best), defaultIcon);
}
