/**
 * Words that are not names, although they occur where a name could: after a greeting, after "I am", at the end of a message. In
 * lower case. Names that are also words are in `ambiguousNames`.
 */
const ordinaryWords: ReadonlySet<string> = new Set(
  `a about above access account accounts acct active actual add address admin administrator advance after again agent agents agreement air all almost already also always am an and
  another answer any anybody anymore anyone anything anyway anywhere apologies app apple application apps are as ask assistance assistant associate at atm attached auto automatic available away awesome
  back bad balance bank banking be because been before behind being below best better between big bill billing blank bless blocked board bonjour book booked booking both bot bottom box branch brilliant broken browser bug business but buy by
  call called can cancel cancelled cannot cant car card cards care cash cause caused chance change changed charge charged chat check checking cheers china chrome clear client close closed cloud code comment company complaint complete
  concern concerns confirm confirmed confused connect contact correct correctly could country coupon cover covid credit crypto currency current customer customers daily data date day days dead deal dear debit december default delay
  delayed deleted delivered delivery deny department desk details device did different digital direct disabled discount display displayed do doctor document documentation does doing done dont double down driver due during
  each early easy either else email emails emergency empty enabled end english enough enquiry entire entry error errors esteemed etc euro euros europe even evening ever every everybody everyone everything exactly example excel except exchange existing
  expert expired extra facebook failed failing false family fantastic far fast faulty fee feedback few file final finally find fine first fix flight following folks food for forever forgot forgotten form former forward found free french
  frequent friday friend friends from full fully funds further general gentle gentlemen german germany get getting give given glad global gmail go god going gone gonna good goodbye google got gotten great greetings group guest guy guys had
  hai half hand happy hard has hate have having he head hello help helpdesk helper helpful helpline hence her here hey hi hidden high him his hmm hold holiday home homepage hope host hotel hour hours house how however huge hurry hurt
  i ice id idea if ill im image immediate immediately important in inc incorrect india info information inquiry inside instagram instant instead insurance interested international internet into invalid invoice iphone ios is issue issues it
  item its ive january job join just justice keep kept key kids kind kindly know lack ladies land language laptop last late later latest law leave left legal less let letter level like limit limited line link linux list listed little live loan
  local locked log logged login long look looking lost lot lots love low loyal lovely ltd mac machine madam made mail main maintenance make management manager mandatory many maps maybe me mean means meant media meeting member members merchant
  message messages messaging microsoft might mine minute minutes misprinted miss missing misspelled mistake mistyped mobile mom monday money month months more morning most mother move moved much mum must my myself name named names national near need needed
  needs netflix network never new news next nice night no nobody none nope normal not nothing notice notification notion november now null number numbers obviously october of off offer office ok okay old on once one ones online only onto open opened or
  order orders other others otherwise our ours out outlook outside over overdue overseas owner own pack page paid pain part partial partner party passport password pay paying payment payments paypal pdf pending people per perfect perhaps permanent
  person personal phone photo pin place plan play please pleased plus point policy poor possible post power premium present pretty price print printed priority private probably problem problems proceed product products profile program project
  properly public purchase python question questions quick quickly quite quote rate re reach read ready real really reason receipt receive received recent recently red refund regarding regards register registered regular rejected remaining remote
  report request required reset respected response rest restaurant return returning returned review right room router run sad safari safe said sales salesforce same saturday save saved say schedule school screen seat second secret section secure security see seems
  seen select self seller send senior sent september serious server service services set setting settings setup several shall she ship shipping shop short should show shown shows side sign signed similar simple simply since sincerely single sir site
  slack slow small so social software some somebody someone something sometimes somewhere soon sorry space spanish spam special specific spelled staff standard start started state statement status step still stolen stop store straight strange street strong
  stuck student stupid sub subject subscription success such suddenly sufficient suggest summer sunday super supervisor support supposed sure system table take taken talk tea teacher team teams tech technical technician terrible test testing thank
  thankful thanks that thats the their them then there therefore these they thing things think third this those though three through thursday thus ticket till time tired title to today together token tomorrow tonight too top topup total totally touch
  track tracking train transaction transfer travel traveler travelling tried trip true trust try trying tuesday turn twice twitter two type uber uk under unable unavailable understand understood unfortunately unhappy unit united university unknown unless unsure
  until up update updated updates upset urgent url us usa use used useful user username users using usual vacation valid value various verified verify version very via video view vip virtual visa visible visit visitor wait waiting wallet want wanted wants
  warm warning was waste watch way we weak web website wednesday week weekend weeks welcome well went were what whatever whats whatsapp when whenever where whether which while white who whole whom whose why wifi will window windows wish wishes with within
  without wont word work working works world worried worse worst would write writing written wrong ya yeah year years yep yes yesterday yet you your youre yours yourself youtube zero zoom
  africa america american android angry api arabic asia asian australia australian austria austrian belgium brazil brazilian british bitcoin california canada canadian catholic chatgpt chinese christmas cisco deutsch dutch egypt england enterprise european
  finnish firefox france github gitlab gitbook greece greek hindi hotmail indian indonesia ireland irish islamic italian italy japan japanese java javascript jira korean latin linkedin london madrid mastercard mexican mexico muslim netherlands nigeria
  nigerian norway norwegian oracle pakistan poland polish portugal portuguese react russia russian scottish sap shopify singapore spain stripe sunday sweden swedish swiss switzerland sydney telegram thai turkish typescript ukraine ukrainian vietnam
  vietnamese wordpress york zendesk developer engineer programmer analyst consultant director founder nurse retired freelancer supplier vendor tenant landlord employee employer ceo cto cfo hr phd uhr
  march april june july august february desktop dashboard export import error400 editor admin2 analytics integration integrations webhook sdk cli
  order-management single-sign-on cluster backend frontend
  aber abend adresse alle alles als also am an anfrage angebot anmeldung antwort anwender auch auf aus bei beim beste bestellung bestellungen betreff bin bis bitte brauche computer danke dann das daten dem den denn der des deutschland deutscher die diese dieser doch dort du
  eigentlich ein eine einen einer erst es etwas fehler fehlermeldung firma frage fragen frau freunde freundliche freundlichen für gerade geld gern gerne gibt grüße grüßen gruß guten habe haben hallo handy herr herren damen hier hilfe ich ihr ihre ihrem ihren immer ist ja jemand jetzt
  kann karte kein keine kollege kollegen kolleginnen konto kunde kunden kundendienst kundenservice kundin könnte könnten leider liebe lieben lieferung mal man mehr mein meine meinem meinen mich mir mit mitarbeiter mitglied morgen möchte muss nach name nein neu neue neuer neukunde neukundin nicht nichts noch nur nutzer oder ohne
  passwort post problem rechnung rechnungen rückmeldung schon sehr seit sie sind so sofort support tag tage team telefon über um und uns unser unsere vielen viele vom von vor wann war warum was weil wenn wer werden wie wieder wir wird wo wurde zahlung zeit zu zufrieden zum zur zugang zusammen
  à adresse afin aide alors après au aucun aujourd aussi autre aux avance avec avoir beaucoup besoin bien bon bonne ça ce cela ces cet cette chez client cliente colis comme comment commande compte cordialement cordiales dans de demande depuis des donc du elle en encore entreprise équipe erreur est et être êtes
  facture faire fait français française il ils impossible je jour journée la le les leur lui ma madame mais mes message messieurs mesdames moi mon monsieur ne nom non nos notre nous on ou où paiement pas plus pour pouvez pourquoi pourriez problème quand que quel quelle qui réponse sa salutations sans se service ses si son sont soirée suis sur ta te tous tout toute très trop un une urgent utilisateur vous votre vos
  abierto acceso ahora al algo alguien antemano antes años aquí así aún ayuda bien buen buena buenas bueno buenos cada caso cliente clienta código como cómo con contraseña correo cordial cuando cuenta cual de del desde día días dinero dirección donde dos el ella en equipo error es esa ese eso esta está este esto estoy factura favor gracias gran ha hace hacer hasta hay
  hola hoy la las le les lo los más me mi mis mucho muchas muy nada ni ninguno no nombre nos nosotros nueva nuevo o otra otro pago para pedido pero persona por porque problema puede pueden puedo que qué quien quiero saludo saludos se según señor señora señores ser servicio si sí sin sobre solo son soporte soy su sus tarde tardes tarjeta también tengo tiene todo todos tu un una urgente usted ustedes usuario usuaria ya yo
  ao aos assistência até atenção boa bom caro cara cartão com conta da das dia do dos e ela ele equipe equipa fatura isso mais meu minha muito na não nas nem nome obrigado obrigada os ou pagamento pedido pelo por prezado prezada que quem senha senhor senhora sua seu tarde tem um uma você
  agli al alla anche aiuto assistenza buongiorno buonasera carta che ci cliente come con conto cosa da dal del della dello di dove due fattura gentile gentili gli grazie ho il in io la le lo ma mi mio mia molto ne non o ordine per perché più problema quando questo saluti sono sta su supporto tutti tutto un una utente
  aan alvast alle bedankt bent bij dag dank dat de deze die dit een en er factuur gebruiker geen goede goedemorgen goedemiddag graag groet groeten hallo heb heeft help het hoe hulp ik in is jullie kan klant klantenservice maar met mij mijn naar niet nieuwe nog of om ook op over rekening te tot uit uw van veel vraag voor waar waarom was wat we wel wie wij worden zijn
  street st avenue ave road rd lane ln drive boulevard blvd court square apartment apt suite floor building city town village county postcode postal
  ms dr mrs mr prof office word365 regards wishes sincerely faithfully truly yours respectfully thx tks ty pls plz asap fyi btw brgds rgds lg mfg vg bg ps
  siri alexa cortana alexa google bing yahoo openai copilot claude gemini llama bard chatbot`.split(/\s+/),
);

/** Endings of adjectives and participles. */
const ordinaryEnding =
  /(?:ed|ing|ly|tion|sion|ment|ness|able|ible|ful|less|ous|ity|ware|ship|schaft|ung|ungen|heit|keit|lich|ción|ciones|ção|mente|zione|ique|teur)$/;

/** Whether a word is not a name: a common word, or one with such an ending. */
export function isOrdinary(word: string): boolean {
  const lower = word.toLowerCase();
  return isCommonWord(word) || (lower.length > 5 && ordinaryEnding.test(lower));
}

/** Whether a word is, or contains as a part, one of about 2,000 common words of support requests. */
export function isCommonWord(word: string): boolean {
  const lower = word.toLowerCase().replaceAll('’', "'").replace(/'s$/, '');
  return (
    ordinaryWords.has(lower) || lower.split(/[-']/).some((part) => part.length > 2 && ordinaryWords.has(part))
  );
}
