<?xml version="1.0" encoding="UTF-8"?>
<xsl:stylesheet version="1.0"
                xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
                xmlns:s="urn:shop"
                exclude-result-prefixes="s">
  <xsl:output method="xml" indent="yes"/>
  <xsl:strip-space elements="*"/>
  <xsl:param name="currency" select="'EUR'"/>
  <xsl:key name="by-id" match="item" use="@id"/>

  <!-- Splits a list at its commas, one by one -->
  <xsl:template name="split">
    <xsl:param name="text"/>
    <xsl:param name="depth" select="0"/>
    <xsl:choose>
      <xsl:when test="contains($text, ',')">
        <tag depth="{$depth}"><xsl:value-of select="substring-before($text, ',')"/></tag>
        <xsl:call-template name="split">
          <xsl:with-param name="text" select="substring-after($text, ',')"/>
          <xsl:with-param name="depth" select="$depth + 1"/>
        </xsl:call-template>
      </xsl:when>
      <xsl:when test="$text = 'stop'">
        <xsl:message terminate="yes">cannot go on at <xsl:value-of select="$depth"/></xsl:message>
      </xsl:when>
      <xsl:otherwise>
        <tag><xsl:value-of select="$text"/></tag>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template match="/">
    <orders currency="{$currency}">
      <xsl:apply-templates select="//order"/>
    </orders>
  </xsl:template>

  <xsl:template match="order">
    <order id="{@id}">
      <xsl:for-each select="item">
        <xsl:sort select="@price" data-type="number"/>
        <item name="{.}"/>
      </xsl:for-each>
      <xsl:if test="@tags">
        <xsl:call-template name="split">
          <xsl:with-param name="text" select="@tags"/>
        </xsl:call-template>
      </xsl:if>
    </order>
  </xsl:template>
</xsl:stylesheet>
