package com.acme.shop

import dev.cleave.Async
import dev.cleave.Pure
import dev.cleave.Remote

/** What the warehouse offers. */
@Remote
interface Inventory {

    /** The price of an item in cents; Kotlin compiles a call without a currency into one of a static method. */
    @Async
    fun price(item: Int, currency: String = "EUR"): Int

    /** As [price]; the same for the same arguments at any time. */
    @Async
    @Pure
    fun weight(item: Int): Int

    /** How many there are; counting suspends. */
    suspend fun stock(item: Int): Int

    /** The parts of an item. */
    suspend fun parts(item: Int, most: Int = 2): List<Part>

    /** Takes one away. */
    @Throws(SoldOutException::class)
    suspend fun reserve(item: Int)

    /** Never ends. */
    suspend fun stocktaking(): Int

    /** How many are counting. */
    fun counting(): Int

    /** How many of them were given up. */
    fun abandoned(): Int
}

/** A value: it travels as it is. */
data class Part(val name: String, val grams: Int?)

/** An exception: it arrives as itself. */
class SoldOutException(val item: Int) : Exception("item $item is sold out")
