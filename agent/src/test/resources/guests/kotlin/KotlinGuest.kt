package guest.kotlin

import dev.cleave.agent.conformance.Svc

/** What Kotlin makes of loops, ranges, lambdas that are inlined, null checks, defaults, data classes and when. */
class KotlinGuest {

    data class Row(val key: Int, val text: String?)

    private var calls = 0

    fun sum(s: Svc, n: Int): Int {
        var sum = 0
        for (i in 0 until n) {
            sum += s.f(i)
            calls++
        }
        return sum
    }

    fun mapped(s: Svc, n: Int): List<String> = (0 until n).map { "<" + s.s("k$it") + ">" }

    fun eachOf(s: Svc, rows: List<Row>): Int {
        var total = 0
        rows.forEach { total += s.g(it.key) }
        for ((key, text) in rows) {
            total += s.f(key + (text?.length ?: 0))
        }
        return total
    }

    fun pair(s: Svc, a: Int, b: Int = a + 1): Int {
        val left = s.f(a)
        val right = s.g(b)
        return left * 3 + right
    }

    fun guarded(s: Svc, n: Int): String =
        try {
            var text = ""
            for (i in n downTo 1 step 2) {
                text += when (s.f(i)) {
                    0 -> "zero"
                    in 1..1000 -> "some "
                    else -> "many "
                }
            }
            text
        } catch (e: RuntimeException) {
            "caught ${e.message}"
        } finally {
            calls += 100
        }

    companion object {
        @JvmStatic
        fun run(s: Svc, z: Svc, n: Int): Any {
            val guest = KotlinGuest()
            val rows = (0 until n).map { Row(it, if (it % 3 == 0) null else "t$it") }
            return listOf(
                guest.sum(s, n), guest.mapped(s, n), guest.eachOf(s, rows), guest.pair(s, n), guest.guarded(s, n),
                guest.calls,
            )
        }
    }
}
