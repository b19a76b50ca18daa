/**
 * Words without information about the topic of a text, including greetings and courtesies. Words of German, French, Spanish,
 * Portuguese, Italian and Dutch are included, unless they are English words with a meaning (hat, plus, son, dos, todo).
 */
export const stopWords: ReadonlySet<string> = new Set([
  ...`a an the and or of to in on at by for from with is are was were be been am i im ive id my me we our you your it its this that these those there here as so if
  then than but do does did doing have has had having will would could should can may might just also please hi hello hey hai hii thanks thank ok okay okey yes no
  nope yeah sure bye byee goodbye morning evening afternoon welcome dear sir madam regards cheers sorry`.split(
    /\s+/,
  ),
  ...`ich du er sie es wir ihr mich dich sich uns euch mir dir ihm ihn ihnen mein meine meinen meinem meiner dein deine deinen euer eure euren eurem sein seine seinen ihre ihren ihrem ihrer unser unsere
  unseren der das den dem des die ein eine einen einem einer eines und oder aber auch dass daß weil wenn ist sind bist seid waren wird werden wurde habe haben habt hatte muss müssen soll sollte sollen
  würde würden zu zum zur von vom im auf aus bei beim mit nach über unter vor für ohne durch gegen noch schon nur sehr mal hier da man bitte danke hallo guten ja nein
  le la les un une du de et ou où mais que qui quoi ce cet cette ces je tu il elle on nous vous ils elles mon ma ta sa notre nos votre vos leur leurs au aux dans avec sans sur pour par est sont suis êtes l d j qu n
  être été avoir avez avons ont ne très merci bonjour bonsoir svp oui
  el los las una unos unas lo y pero esta este esto estos estas esa ese eso mi mis sus nuestro nuestra yo él ella nosotros usted ustedes ellos al del en con sin por para es eres somos está están estoy
  estar ser hay muy ya sí gracias hola buenos buenas favor
  gli uno di nel nella dei degli delle che sono sei siamo mio mia grazie ciao buongiorno uma das meu minha seu sua você não obrigado obrigada olá het een voor zijn ik mijn u`.split(
    /\s+/,
  ),
]);

/**
 * Words of questions and wishes, and such pairs of Chinese characters. They distinguish kinds of requests, but do not make two
 * topics similar.
 */
export const requestWords: ReadonlySet<string> = new Set([
  ...`what how why when where which who need want like help know get got tell see use try go about some any all more very now still because while nothing else name`.split(
    ' ',
  ),
  ...`wie wo wer wen wann warum wieso welche welcher welches welchen wofür möchte möchten wollen brauche brauchen gibt geht machen kann können könnte könnten etwas
  comment quel quelle quels quelles quand pourquoi combien veux voudrais peux peut puis faire besoin
  como cómo cuando cuándo cuanto cuánto cual cuál cuales donde dónde qué quiero quisiera puedo puede puedes necesito deseo hacer tengo
  怎么 么办 怎样 什么 是什 为什 如何 多少 哪里 请问 帮我 给我 我想 想要 我要 可以 能不 不能 有没 没有 一下 怎麼 麼辦 怎樣 什麼 為什 哪裡 請問 幫我 給我 沒有`.split(
    /\s+/,
  ),
]);
