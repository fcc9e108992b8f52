package com.acme.shop

import dev.cleave.CallContext
import java.util.concurrent.atomic.AtomicInteger
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.delay

/** Serves the inventory. */
class Warehouse : Inventory {

    private val given = AtomicInteger()
    private val counting = AtomicInteger()
    private val abandoned = AtomicInteger()

    override fun price(item: Int, currency: String) = if (currency == "EUR") 100 + item else 110 + item

    override fun weight(item: Int) = 7 * item

    override suspend fun stock(item: Int): Int {
        val served = CallContext.find() // the call, or nothing in this process
        delay(1)
        check(served == CallContext.find()) // on another thread
        return 10 * item
    }

    override suspend fun parts(item: Int, most: Int) = (1..most).map { Part("part $item.$it", if (it == 1) null else it) }

    override suspend fun reserve(item: Int) {
        if (item == 13) {
            delay(1)
            throw SoldOutException(item)
        }
        given.incrementAndGet()
    }

    override suspend fun stocktaking(): Int =
        try {
            counting.incrementAndGet()
            awaitCancellation()
        } catch (e: CancellationException) {
            abandoned.incrementAndGet()
            throw e
        } finally {
            counting.decrementAndGet()
        }

    override fun counting() = counting.get()

    override fun abandoned() = abandoned.get()
}
