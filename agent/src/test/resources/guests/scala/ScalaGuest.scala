package guest.scala

import dev.cleave.agent.conformance.Svc
import scala.collection.mutable.ListBuffer

/** What Scala makes of while loops, for comprehensions, closures, matches, options, lazy values and try as a value. */
class ScalaGuest {
  private var calls = 0
  lazy val factor: Int = 31

  def sum(s: Svc, n: Int): Int = {
    var sum = 0
    var i = 0
    while (i < n) {
      sum += s.f(i) * factor
      calls += 1
      i += 1
    }
    sum
  }

  def mapped(s: Svc, n: Int): List[String] = (0 until n).toList.map(i => "<" + s.s("k" + i) + ">")

  def each(s: Svc, n: Int): Seq[Int] = {
    val found = new ListBuffer[Int]
    for (i <- 0 until n if i % 2 == 0) found += s.g(i)
    found.toList
  }

  def arrays(s: Svc, keys: Array[Int]): Int = {
    var total = 0
    var i = 0
    while (i < keys.length) {
      val answer = s.f(keys(i))
      total += (answer match {
        case 0 => 1
        case x if x > 1000 => 2
        case x => x
      })
      i += 1
    }
    total
  }

  def pair(s: Svc, a: Int, b: Option[Int]): Int = {
    val left = s.f(a)
    val right = s.g(b.getOrElse(a + 1))
    left * 3 + right
  }

  def guarded(s: Svc, n: Int): String =
    try {
      var text = ""
      var i = n
      while (i > 0) {
        text += s.f(i).toString
        i -= 2
      }
      text
    } catch {
      case e: RuntimeException => "caught " + e.getMessage
    } finally {
      calls += 100
    }
}

object ScalaGuest {
  def run(s: Svc, z: Svc, n: Int): AnyRef = {
    val guest = new ScalaGuest
    List(
      guest.sum(s, n), guest.mapped(s, n), guest.each(s, n), guest.arrays(s, Array.tabulate(n)(i => i * i)),
      guest.pair(s, n, if (n > 1) None else Some(7)), guest.guarded(s, n), guest.calls).toString
  }
}
