package com.acme.shop

import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout

/** What the shop sells. */
class Item(val number: Int)

/** Calls the inventory: the loops as any Kotlin program writes them, one call after the other. */
class Shop(private val inventory: Inventory) {

    /** One call after the other; the agent makes a pipeline of it. */
    fun total(items: Int): Int {
        var total = 0
        for (item in 0 until items) {
            total += inventory.price(item, "EUR")
        }
        return total
    }

    /** With the default argument. */
    fun defaults(items: Int): Int {
        var total = 0
        for (item in 0 until items) {
            total += inventory.price(item)
        }
        return total
    }

    /** An inline function of Kotlin is a loop. */
    fun prices(items: List<Item>): List<String> = items.map { "${inventory.price(it.number, "USD")} USD" }

    /** A sequence is lazy: the call of an item happens when its sum is. */
    fun sequence(items: Int): Int = (0 until items).asSequence().map { inventory.weight(it) }.filter { it % 2 == 0 }.sum()

    /** A loop over a sequence, with a sequence of its own in between. */
    fun over(items: Int): Int {
        var total = 0
        for (item in (0 until items).asSequence().filter { it % 3 != 0 }) {
            total += inventory.weight(item)
        }
        return total
    }

    /** All at once, since each call suspends. */
    suspend fun stock(items: Int): Int = coroutineScope { (0 until items).map { async { inventory.stock(it) } }.awaitAll().sum() }

    /** One after the other. */
    suspend fun reserveAll(items: IntRange): String =
        try {
            for (item in items) {
                inventory.reserve(item)
            }
            "reserved"
        } catch (e: SoldOutException) {
            "sold out: ${e.item}"
        }

    /** With the default argument of a suspend method. */
    suspend fun parts(item: Int): List<Part> = inventory.parts(item) + inventory.parts(item, 1)

    /** Gives a call up that has begun: the coroutine of the warehouse is cancelled. */
    suspend fun hasty(): Int = coroutineScope {
        val call = async { inventory.stocktaking() }
        until { inventory.counting() == 1 }
        call.cancel()
        until { inventory.counting() == 0 }
        inventory.abandoned()
    }

    private suspend fun until(holds: () -> Boolean) = withTimeout(30_000) {
        while (!holds()) {
            delay(5)
        }
    }

    /** All of it, for programs that do not suspend. */
    fun report(items: Int): List<Any> = runBlocking {
        listOf(
            total(items), defaults(items), prices((0 until items).map(::Item)), sequence(items), over(items), stock(items),
            reserveAll(1..5), reserveAll(11..15), parts(4), hasty(),
        )
    }
}
