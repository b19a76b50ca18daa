/** Common first names that are rarely other words, in lower case and without accents. */
const firstNames: ReadonlySet<string> = new Set(
  `aaron abigail adam adele adrian adriana agata agnes agnieszka ahmed ahmet aisha aitana alan alana albert alberto alejandra alejandro aleksander aleksandra alessandra alessandro alessia alex alexander alexandra alexandre alexis alfonso alfred alfredo ali alice
  alicia alina alison alistair allison alvaro amanda amelia amelie amir amit amy ana anabel anastasia anders andre andrea andreas andrei andres andrew andrzej andy angelika angelina angelique anita anja anjali anke anna annabelle anne annette annie annika antje anthony antoine antoinette
  antonia antonio anton arjun arthur arturo arun ashley astrid audrey aurelie axel aylin ayse bart bartosz beatrice beatrix beatriz ben benedikt benjamin bernard bernd bernhard bettina bhavna birgit bjorn bogdan boris brandon brenda brendan brian bridget britta
  bruno bryan caitlin camila camille carina carla carlos carmen carol carole caroline carolina carsten catalina catarina caterina catherine cathy cecilia cecile celine chantal charles charlie chiara chloe chris christelle christian christiane christina christine christoph christophe christopher christos cindy claire clara
  claudia claudio clemens clement clementine colin connor constance constanze corinna corinne cornelia craig cristian cristina cynthia dagmar damian damien daniel daniela daniele danielle danny dario darren dave david deborah debbie deepak delphine denise dennis derek diana diane dieter diego dimitri dirk
  dmitri dolores dominik dominique donald donna doris dorothea dorothy douglas duncan dylan edgar edith eduardo edward edwin eileen ekaterina elaine eleanor elena eleonora elisa elisabeth elise elizabeth elke ella ellen elodie elsa emil emile emilia emilie emilio emily emma emmanuel emmanuelle enrico
  enrique eric erica erik erika erin ernst estelle esther eugenia eva evelyn fabian fabio fabien fabrice fatima federica federico felipe felix ferdinand fernanda fernando filip filippo fiona florian francesca francesco francine francis francisca francisco franck francois francoise frank franz
  franziska fred frederic frederick frederik freya frieda friedrich gabriel gabriela gabriele gabrielle gareth gary gavin genevieve geoffrey george georg georges georgina gerald geraldine gerard gerhard gianluca giorgio giovanni gisela giulia giuseppe gloria gonzalo gordon greg gregory greta
  guido guillaume guillermo gunther gustavo guy hannah hannes hans harald harry hassan heather hector heidi heike heiko heinrich heinz helen helena helene helga helmut hendrik henri henrik henry herbert hermann hiroshi holger horst howard hugo hussein ian ibrahim ignacio igor ines inga ingrid
  irene irina iris isaac isabel isabella isabelle ivan ivana jacek jackie jacob jacqueline jacques jaime jake jakob jakub james jamie jan jana jane janet janine janina jasmin jason javier jean jeanette jeanne jeff jeffrey jelena jennifer jenny jens jeremy jerome jerry jessica jesus jim jimmy joachim
  joan joana joanna joao joaquin jochen joe joel joelle johan johann johanna johannes john johnny jonas jonathan joost jorg jorge jose josef josefina joseph josephine joshua joyce juan juana juanita judith julia julian juliana julie julien juliet juliette julio jurgen justin justyna karen karin karina karl
  karolina karsten katarina katarzyna kate katharina katherine kathleen kathrin kathryn kathy katie katja katrin kay keith kelly ken kenneth kerstin kevin kimberly kirsten klaus klara konrad konstantin kristen kristin kristina kristine krzysztof kumar kurt kyle lara larissa larry lars laura lauren laurence
  laurent leah leandro lena leon leonard leonardo leonie leopold leslie leticia liam lilian liliana lina linda lisa liz lorena lorenzo lorraine lothar louis louisa louise luca lucas lucia luciana lucie lucy ludovic ludwig luigi luis luisa luise lukas luke lydia lynn maciej madeleine madison
  magali magdalena maike malgorzata manfred manuel manuela marc marcel marcela marcelo marcin marco marcos marcus margaret margarita margot maria mariana marianne marie marina mario marion marisa marissa markus marlene marta martha martin martina martine marvin mary mateo mateusz matheus mathias mathieu mathilde
  matilda matt matteo matthew matthias matthieu maud maureen maurice mauricio max maximilian maxime megan mehmet melanie melissa mercedes mia michael michaela michal michel michele michelle miguel mike mikhail milan milena miriam mohamed mohammad mohammed molly monica monika monique moritz
  muhammad mustafa nadia nadine nancy natalia natalie natascha natasha nathalie nathan neha neil nicholas nick nicola nicolas nicole niels niklas nikolai nikolaus nils nina noah noemi nora norbert norma odile olaf oleg olga oliver olivia olivier omar oscar oskar otto
  pablo pamela paola paolo pascal patricia patrick patrik paula paulina pauline paulo pavel pawel pedro penelope perrine peter petra philip philipp philippe phillip pierre pilar piotr pooja priya quentin rachel rafael rahul raimund rainer raj rajesh ralf ralph ramon raphael raquel raul ravi
  raymond rebecca regina reinhard rene renata renate ricardo riccardo richard rita robert roberta roberto robin rodrigo rodolfo roger roland rolf roman romain ronald rosalie rosemary ross roxane ruben rudolf rupert russell ruth ryan sabine sabrina sagar sally salvatore samantha sami
  samuel sandeep sandra sandrine sandro sanjay sara sarah sascha scott sean sebastian sebastien selina selvam serena sergei sergio severine shannon sharon shaun sheila shirley sibylle sigrid silke silvana silvia simon simona simone sofia sofie solene sonia sonja sophia sophie stacey stacy stefan
  stefania stefanie stefano steffen stella stephan stephane stephanie stephen steve steven stuart sunita suresh susan susana susanne suzanne svea svenja swen sven sylvain sylvia sylvie tamara tanja tania tanya tatiana ted teresa terry theo theodor theresa therese thibault thierry thomas thorsten tiago tim timo timothy
  tina tobias tom tomas tomasz tommy toni tony torsten tracy trevor tristan udo ulla ulrich ulrike ursula ute uwe valentin valentina valeria valerie vanessa vera verena veronica veronika veronique vicente victor vijay viktor viktoria vincent vincenzo virginie viviane vladimir volker walter
  waltraud wanda wendy werner wilfried wilhelm william willi winfried wojciech wolfgang xavier yann yannick yasmin yolanda yuki yusuf yves yvette yvonne zbigniew zoe`.split(
    /\s+/,
  ),
);

/** First names that are also words, places, months or products. They count only with a surname or a greeting next to them. */
const ambiguousNames: ReadonlySet<string> = new Set(
  `abby alba amber angel april art august austin autumn basil bea bella berta bill bob brad brooke buddy carter casey chad chance charity charlotte chase christian clay cliff cody crystal dale daisy dallas dan dawn dean dick don drew earl eden eliot elliot ernest eve faith felicity
  florence flora francisco frank gene georgia ginger glen grace grant hazel heath holly hope hunter iris israel ivy jack jasmine jay jean jesus jewel jo jordan josh joy jude julia june justice karma kay ken kim kit lance laurel lee lily logan lou madison mai marina mark marc mason matt max may melody mercedes merit
  mercy mia miles milan misty morgan nick norm norman olive oscar paige paris parker pat patience paul pearl penny pete phoenix piper poppy ray reed regina robin rocky rod roman rosa rose roy ruby rusty sage sally sam sandy santiago savannah scarlett shelby sierra sky sofia sterling sue summer
  sydney taylor ted terry tim tom toni tony tracy trinity valentin victor victoria viola violet virginia wade ward warren will woody`.split(
    /\s+/,
  ),
);

/** Common surnames that turn an ambiguous first name before them into a name, in lower case and without accents. */
const surnames: ReadonlySet<string> = new Set(
  `adams allen banks best black bond case day field flores king knight law long love may page park power rich rose small stone street young  alvarez anderson andersson bailey baker barnes bauer becker bell bennett bernard bianchi brooks brown bruno butler campbell carlson carter castillo chavez chen clark collins cook cooper costa cox cruz davies davis diaz dubois dupont durand edwards esposito evans fernandez ferrari ferreira fischer
  flores foster fuentes garcia gomez gonzales gonzalez gray green gupta gutierrez hall hansen harris hernandez herrera hill hoffmann hopper howard hughes ivanov jackson jansen jenkins jimenez johansson johnson jones kelly khan kim klein koch kowalski krause kruger kumar larsen lee lefebvre lehmann leroy lewis li
  lin lopes lopez mueller marino martin martinez mayer mccarthy medina mendoza meyer miller mitchell moore morales moreau moreno morgan morris muller murphy murray myers nelson neumann nguyen nielsen nowak olsen ortega ortiz parker patel pereira perez peters peterson petrov phillips price ramirez ramos reed
  reyes reynolds ricci richard richardson rivera roberts robinson rodrigues rodriguez rogers romano rossi roth ruiz russo ryan sanchez sanders santos schmid schmidt schmitt schneider schroeder schulz schwarz scott shah sharma silva singh smith smirnov snyder sousa souza stewart suarez sullivan taylor
  thomas thompson torres tran turner vargas vazquez wagner walker walsh wang ward watson weber weiss werner white williams wilson wolf wood wright yang yilmaz young zhang zimmermann`.split(
    /\s+/,
  ),
);

function fold(word: string): string {
  return word
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .replace(/['’]s$/, '');
}

/** Whether a word is a common first name, even if it is also another word. A double name is one if its first part is. */
export function isFirstName(word: string): boolean {
  const [first = ''] = fold(word).split('-');
  return firstNames.has(first) || ambiguousNames.has(first);
}

/** Whether a word is a common first name that is rarely another word. */
export function isClearFirstName(word: string): boolean {
  const [first = ''] = fold(word).split('-');
  return firstNames.has(first) && !ambiguousNames.has(first);
}

/** Whether a word is a common surname. */
export function isSurname(word: string): boolean {
  return surnames.has(fold(word));
}
